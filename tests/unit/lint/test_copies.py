# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.copies import STRINGS, WHOLE, Copy, find

FILES = (Copy("a/MODULE.bazel", "b/MODULE.bazel"),)
LISTS = (Copy("a.bzl", "b.py", r"A = \[([^]]*)\]", r"B = \(([^)]*)\)", STRINGS),)


def test_find_equal_files_finds_nothing(make_tree: MakeTree) -> None:
    tree = make_tree({"a/MODULE.bazel": "module()\n", "b/MODULE.bazel": "module()\n"})
    assert list(find(tree, FILES)) == []


def test_find_other_file_is_found_at_the_copy(make_tree: MakeTree) -> None:
    tree = make_tree({"a/MODULE.bazel": "module()\n", "b/MODULE.bazel": "module(1)\n"})
    (problem,) = find(tree, FILES)
    assert (problem.path, problem.message) == ("b/MODULE.bazel", "differs from `a/MODULE.bazel`")


def test_find_equal_items_in_two_languages_finds_nothing(make_tree: MakeTree) -> None:
    tree = make_tree({"a.bzl": 'A = ["x", "y"]\n', "b.py": 'B = (\n    "x",\n    "y",\n)\n'})
    assert list(find(tree, LISTS)) == []


def test_find_other_items_are_found_with_their_line(make_tree: MakeTree) -> None:
    tree = make_tree({"a.bzl": 'A = ["x", "y"]\n', "b.py": '\nB = ("x",)\n'})
    (problem,) = find(tree, LISTS)
    assert (problem.path, problem.line) == ("b.py", 2)


@pytest.mark.parametrize("text", ["", "A = []"])
def test_find_absent_text_is_found(make_tree: MakeTree, text: str) -> None:
    (problem,) = find(make_tree({"a.bzl": text, "b.py": "nothing"}), LISTS)
    assert problem.message == "lacks the text that `copies` compares"


def test_whole_takes_all_of_a_file(make_tree: MakeTree) -> None:
    tree = make_tree({"a": "x\n\n", "b": "x\n"})
    assert [problem.path for problem in find(tree, (Copy("a", "b", WHOLE, WHOLE),))] == ["b"]
