# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.names import find


def test_find_vague_folder_is_found_once(make_tree: MakeTree) -> None:
    (problem,) = find(make_tree({"csrc/utils/a.cc": "", "csrc/utils/b.cc": ""}))
    assert problem.path == "csrc/utils"


def test_find_vague_file_is_found(make_tree: MakeTree) -> None:
    (problem,) = find(make_tree({"csrc/helpers.cc": "", "csrc/utilisation.cc": ""}))
    assert problem.path == "csrc/helpers.cc"


def test_find_build_bazel_is_found_with_right_name(make_tree: MakeTree) -> None:
    (problem,) = find(make_tree({"a/BUILD.bazel": "", "b/BUILD": "", "MODULE.bazel": ""}))
    assert problem.path == "a/BUILD.bazel"
    assert problem.hint == "name it `BUILD`"
