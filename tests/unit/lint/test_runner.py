# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import io
from collections.abc import Iterable

from tests.unit.lint.conftest import MakeTree
from tools.lint.check import Check
from tools.lint.errors import ProgramError
from tools.lint.problem import Problem
from tools.lint.runner import find_all, fix_all
from tools.lint.source_tree import SourceTree

CLEAN = Check("clean", "", lambda _tree: [])
DIRTY = Check(
    "dirty", "", lambda _tree: [Problem("b", 2, "bad", "mend"), Problem("a", 0, "bad", "mend")]
)


def _broken(_tree: SourceTree) -> Iterable[Problem]:
    raise ProgramError("it failed", "look")


BROKEN = Check("broken", "", _broken)


def test_find_all_clean_tree_gives_zero(make_tree: MakeTree) -> None:
    out = io.StringIO()
    assert find_all([CLEAN], make_tree({}), out) == 0
    assert out.getvalue().splitlines()[-1] == "1 passed, 0 failed"


def test_find_all_problems_give_one_and_run_the_rest(make_tree: MakeTree) -> None:
    out = io.StringIO()
    assert find_all([DIRTY, CLEAN], make_tree({}), out) == 1
    text = out.getvalue()
    assert text.index("a: bad") < text.index("b:2: bad")
    assert text.count("hint: mend") == 1
    assert text.splitlines()[-1] == "1 passed, 1 failed"


def test_find_all_check_that_cannot_run_gives_its_code(make_tree: MakeTree) -> None:
    out = io.StringIO()
    assert find_all([BROKEN, DIRTY], make_tree({}), out) == ProgramError.exit_code
    assert "it failed\nhint: look" in out.getvalue()
    assert out.getvalue().splitlines()[-1] == "0 passed, 2 failed"


def test_fix_all_stops_at_failure_with_its_code(make_tree: MakeTree) -> None:
    called: list[str] = []

    def fail(_tree: SourceTree) -> None:
        raise ProgramError("it failed", "look")

    checks = [
        Check("one", "", CLEAN.find, lambda _tree: called.append("one")),
        CLEAN,
        Check("two", "", CLEAN.find, fail),
        Check("three", "", CLEAN.find, lambda _tree: called.append("three")),
    ]
    assert fix_all(checks, make_tree({}), io.StringIO()) == ProgramError.exit_code
    assert called == ["one"]
