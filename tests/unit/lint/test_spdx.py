# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.spdx import EXPECTED, find

PYTHON = f"# {EXPECTED[0]}\n# {EXPECTED[1]}\nX = 1\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", PYTHON),
        ("a.sh", "#!/bin/bash\n" + PYTHON),
        ("a.cc", f"// {EXPECTED[0]}\n// {EXPECTED[1]}\n\nint x;\n"),
        ("a.c", f"/* {EXPECTED[0]} */\n/* {EXPECTED[1]} */\n"),
        ("BUILD", PYTHON),
        ("a.md", "# no header wanted\n"),
    ],
)
def test_find_header_present_finds_nothing(make_tree: MakeTree, path: str, text: str) -> None:
    assert list(find(make_tree({path: text}))) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X = 1\n",
        f"# {EXPECTED[1]}\n# {EXPECTED[0]}\n",
        f"# {EXPECTED[0]}\nX = 1\n# {EXPECTED[1]}\n",
        f"\n# {EXPECTED[0]}\n# {EXPECTED[1]}\n",
        f"# {EXPECTED[0]}\n# SPDX-License-Identifier: MIT\n",
    ],
    ids=["empty", "none", "swapped", "apart", "late", "other"],
)
def test_find_header_missing_is_found(make_tree: MakeTree, text: str) -> None:
    (problem,) = find(make_tree({"lib/a.bzl": text}))
    assert problem.path == "lib/a.bzl"
    assert problem.line == 1
    assert EXPECTED[0] in problem.hint
