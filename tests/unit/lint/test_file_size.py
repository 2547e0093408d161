# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.file_size import BUDGETS, find


@pytest.mark.parametrize(
    ("name", "pattern"),
    [("a.bzl", "*.bzl"), ("BUILD", "BUILD"), ("a.py", "*.py"), ("a.cu", "*.cu")],
)
def test_find_one_line_too_many_is_found(make_tree: MakeTree, name: str, pattern: str) -> None:
    budget = BUDGETS[pattern]
    assert list(find(make_tree({name: "#\n" * budget}))) == []
    (problem,) = find(make_tree({name: "#\n" * (budget + 1)}))
    assert problem.message == f"{budget + 1} lines, the budget is {budget}"


def test_find_long_table_finds_nothing(make_tree: MakeTree) -> None:
    assert list(find(make_tree({"pin.bzl": "#\n" * 1000, "notes.md": "x\n" * 1000}))) == []
