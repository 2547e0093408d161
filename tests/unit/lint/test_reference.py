# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from tests.unit.lint.conftest import MakeTree
from tools.lint.checks import reference
from tools.reference.audit_checks import BEHAVIOURS
from tools.reference.pages import PAGES

AUDIT_PAGE = "docs/reference/audit_checks.md"


def _sources() -> dict[str, str]:
    sources = {"MODULE.bazel": "", str(BEHAVIOURS): "BEHAVIOURS = {}\nELSEWHERE = {}\n"}
    for page in PAGES:
        text = '"""Doc."""\n'
        if page.source.endswith(".py"):
            text += '__all__ = ["f"]\ndef f(x):\n    """Text."""\n'
        sources[page.source] = text
    return sources


def test_find_missing_pages_are_found_and_fixed(make_tree: MakeTree) -> None:
    tree = make_tree(_sources())
    paths = [problem.path for problem in reference.find(tree)]
    assert paths == [*(f"docs/reference/{page.name}" for page in PAGES), AUDIT_PAGE]
    reference.fix(tree)
    assert list(reference.find(tree)) == []


def test_find_stale_page_is_found_with_line_and_command(make_tree: MakeTree) -> None:
    tree = make_tree(_sources())
    reference.fix(tree)
    (tree.root / "python/tilewright/errors.py").write_text(
        '"""Doc."""\n__all__ = ["f"]\ndef f(x):\n    """Other text."""\n'
    )
    (problem,) = reference.find(tree)
    assert problem.path == "docs/reference/errors.md"
    assert "Text." in tree.text(problem.path).splitlines()[problem.line - 1]
    assert problem.hint == reference.COMMAND


def test_find_undocumented_source_is_found(make_tree: MakeTree) -> None:
    tree = make_tree({**_sources(), "tools/pytest/defs.bzl": "def f(): pass\n"})
    messages = [problem.message for problem in reference.find(tree)]
    assert any("`f` has no docstring" in message for message in messages)
