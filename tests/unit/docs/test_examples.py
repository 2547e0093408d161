# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import doctest
import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page", ["README.md", "docs/tutorial/first-steps.md", "python/DESCRIPTION.md"]
)
def test_examples_of_page_print_what_it_says(page: str) -> None:
    """The Python blocks of a page are one session, in the order they stand."""
    text = (REPOSITORY / page).read_text()
    session = "\n".join(block for block in BLOCK.findall(text) if block.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    assert len(test.examples) >= 3
    report: list[str] = []
    results = doctest.DocTestRunner().run(test, out=report.append)
    assert results.failed == 0, "".join(report)
