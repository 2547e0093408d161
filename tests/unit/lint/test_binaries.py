# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.binaries import LARGEST, find
from tools.lint.source_tree import SourceTree


@pytest.mark.parametrize("contents", [b"\x7fELF\x02\x01\0", b"a\xff\xfeb"], ids=["nul", "latin"])
def test_find_binary_is_found(tmp_path: Path, contents: bytes) -> None:
    (tmp_path / "x").write_bytes(contents)
    (problem,) = find(SourceTree.at(tmp_path))
    assert (problem.path, problem.message) == ("x", "a binary file")


def test_find_large_text_is_found_with_its_size(make_tree: MakeTree) -> None:
    (problem,) = find(make_tree({"x": "a" * (LARGEST + 1), "y": "a" * LARGEST}))
    assert problem.path == "x"
    assert str(LARGEST + 1) in problem.message


def test_find_utf8_text_finds_nothing(make_tree: MakeTree) -> None:
    assert list(find(make_tree({"x": "µs → ns\n", "empty": ""}))) == []
