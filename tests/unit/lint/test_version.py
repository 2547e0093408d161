# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.version import find

MODULE = """\
'''Doc.'''

module(
    name = "m",
    version = "{}",
)

bazel_dep(name = "x", version = "9")
"""


def test_find_same_version_finds_nothing(make_tree: MakeTree) -> None:
    assert (
        list(find(make_tree({"VERSION": "1.2.0\n", "MODULE.bazel": MODULE.format("1.2.0")}))) == []
    )


@pytest.mark.parametrize(
    ("module", "line"),
    [(MODULE.format("1.1.0"), 5), ('bazel_dep(name = "x", version = "1.2.0")\n', 1)],
    ids=["other", "none"],
)
def test_find_other_version_is_found(make_tree: MakeTree, module: str, line: int) -> None:
    (problem,) = find(make_tree({"VERSION": "1.2.0\n", "MODULE.bazel": module}))
    assert (problem.path, problem.line, problem.hint) == ("MODULE.bazel", line, "write `1.2.0`")
