# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`conftest.py` in `srcs` serves the tests; a file whose name merely ends so is one of them."""


def test_conftest_gives_its_fixtures(answer: int) -> None:
    assert answer == 42
