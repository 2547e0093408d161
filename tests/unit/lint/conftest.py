# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.lint.source_tree import SourceTree

MakeTree = Callable[[dict[str, str]], SourceTree]


@pytest.fixture
def make_tree(tmp_path: Path) -> MakeTree:
    """A source tree of the given files, from path to text."""

    def make(files: dict[str, str]) -> SourceTree:
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        return SourceTree.at(tmp_path)

    return make
