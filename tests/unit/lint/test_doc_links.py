# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import pytest

from tests.unit.lint.conftest import MakeTree
from tools.lint.checks.doc_links import anchors, find

PAGE = "# A page\n\n## How it `works`\n\n## Twice\n\n## Twice\n"


@pytest.mark.parametrize(
    "link",
    [
        "[x](page.md)",
        "[x](page.md#how-it-works)",
        "[x](page.md#twice-1)",
        "[x](../README.md)",
        "[x](https://example.com/nowhere)",
        "[x](#here)",
        "`[x](absent.md)`",
        "```\n[x](absent.md)\n```",
        "`docs/page.md` and `docs/<name>.md` and `//docs/absent`",
    ],
)
def test_find_live_link_finds_nothing(make_tree: MakeTree, link: str) -> None:
    tree = make_tree({"README.md": "", "docs/page.md": PAGE, "docs/a.md": f"# Here\n\n{link}\n"})
    assert list(find(tree)) == []


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("[x](absent.md)", "the link `absent.md` leads nowhere"),
        ("[x](../../README.md)", "the link `../../README.md` leads nowhere"),
        ("[x](/docs/page.md)", "the link `/docs/page.md` is absolute, which works on no page"),
        (
            "[x](page.md#gone)",
            "the link `page.md#gone` names a heading that `docs/page.md` does not have",
        ),
        ("[x]: absent.md", "the link `absent.md` leads nowhere"),
        ("`docs/absent.md`", "`docs/absent.md` does not exist"),
    ],
)
def test_find_dead_link_is_found(make_tree: MakeTree, link: str, message: str) -> None:
    tree = make_tree({"README.md": "", "docs/page.md": PAGE, "docs/a.md": f"# Here\n\n{link}\n"})
    (problem,) = find(tree)
    assert (problem.path, problem.line, problem.message) == ("docs/a.md", 3, message)


def test_anchors_repeated_heading_is_numbered() -> None:
    assert anchors(PAGE) == {"a-page", "how-it-works", "twice", "twice-1"}
