# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.errors import TreeError
from tools.lint.source_tree import SourceTree


def test_files_ignored_are_left_out(make_tree: MakeTree) -> None:
    tree = make_tree(
        {
            ".gitignore": "# caches\n/bazel-*\n/dist/\n*.log\n__pycache__/\n",
            "a/x.py": "",
            "a/__pycache__/x.pyc": "",
            "a/dist/kept.txt": "",
            "bazel-out/x.py": "",
            "dist/x.whl": "",
            "b.log": "",
            ".git/config": "",
        }
    )
    assert tree.files == (".gitignore", "a/dist/kept.txt", "a/x.py")


def test_files_cache_that_excludes_itself_is_left_out(make_tree: MakeTree) -> None:
    tree = make_tree({".cache_of_tool/.gitignore": "*\n", ".cache_of_tool/data": "", "x.py": ""})
    assert tree.files == ("x.py",)


def test_files_symbolic_link_is_left_out(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"x.py": ""})
    (tmp_path / "y.py").symlink_to("x.py")
    assert tree.files == ("x.py",)


def test_folders_nested_file_gives_each_parent(make_tree: MakeTree) -> None:
    assert make_tree({"a/b/c.txt": "", "d.txt": ""}).folders == ("a", "a/b")


def test_matching_pattern_compares_base_name(make_tree: MakeTree) -> None:
    tree = make_tree({"a/BUILD": "", "BUILD/x.py": "", "b.BUILD": ""})
    assert list(tree.matching("BUILD")) == ["a/BUILD"]
    assert list(tree.matching("*.BUILD", "*.py")) == ["BUILD/x.py", "b.BUILD"]


def test_at_missing_folder_raises(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="is no folder"):
        SourceTree.at(tmp_path / "absent")
