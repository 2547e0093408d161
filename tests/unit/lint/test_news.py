# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.news import find


def test_find_good_fragment_finds_nothing(make_tree: MakeTree) -> None:
    tree = make_tree(
        {"news/README.md": "# x\n\ny\n", "news/faster-norm.added.md": "`rms_norm` is\nfaster.\n"}
    )
    assert list(find(tree)) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faster.md", "x\n"),
        ("faster.improved.md", "x\n"),
        ("Faster.added.md", "x\n"),
        ("faster_norm.added.md", "x\n"),
        ("faster.added.txt", "x\n"),
        ("deeper/faster.added.md", "x\n"),
        ("faster.added.md", "\n"),
        ("faster.added.md", "# Heading\n"),
        ("faster.added.md", "one\n\ntwo\n"),
    ],
)
def test_find_bad_fragment_is_found(make_tree: MakeTree, name: str, text: str) -> None:
    (problem,) = find(make_tree({f"news/{name}": text}))
    assert problem.path == f"news/{name}"
