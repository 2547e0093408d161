# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import os
import random
import sys

import pytest


def test_one_on_a_seeded_generator_passes() -> None:
    print("drawn", random.random())


def test_two_in_the_same_file_passes() -> None:
    print("seed", os.environ["TILEWRIGHT_TEST_SEED"])


def test_import_of_pytest_comes_from_the_declared_wheel() -> None:
    assert ".runfiles/" in pytest.__file__
    assert not [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
