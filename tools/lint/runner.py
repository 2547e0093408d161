# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs checks one after the other and reports."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO

from tools.lint.check import Check
from tools.lint.errors import LintError
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree


@dataclass(frozen=True)
class Outcome:
    """What came of one check.

    Attributes:
        name: the check.
        problems: what it found, sorted.
        error: why it could not do its work; None where it could.
        seconds: how long it took.
    """

    name: str
    problems: tuple[Problem, ...]
    error: LintError | None
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether it ran and found nothing."""
        return not self.problems and self.error is None


def find_all(checks: Iterable[Check], tree: SourceTree, out: TextIO) -> int:
    """Run `checks` over `tree`, write the findings to `out`; returns the exit code.

    Every check runs, whatever the ones before it found. The code is 0 where all passed, 1 where
    one found problems, and that of the first error where one could not do its work.
    """
    outcomes = []
    for check in checks:
        outcome = _outcome(check, tree)
        outcomes.append(outcome)
        _describe(outcome, out)
    for outcome in outcomes:
        print(f"{outcome.name:<16}{_verdict(outcome):<16}{outcome.seconds:6.1f} s", file=out)
    failed = sum(not outcome.passed for outcome in outcomes)
    print(f"{len(outcomes) - failed} passed, {failed} failed", file=out)
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    return errors[0].exit_code if errors else int(failed > 0)


def fix_all(checks: Iterable[Check], tree: SourceTree, out: TextIO) -> int:
    """Let each of `checks` mend what it can; returns the exit code."""
    for check in checks:
        if check.fix is None:
            continue
        try:
            check.fix(tree)
        except LintError as error:
            print(f"{check.name}: {error}", file=out)
            return error.exit_code
        print(f"{check.name}: done", file=out)
    return 0


def _outcome(check: Check, tree: SourceTree) -> Outcome:
    start = time.monotonic()
    problems: tuple[Problem, ...] = ()
    error: LintError | None = None
    try:
        problems = tuple(sorted(check.find(tree)))
    except LintError as caught:
        error = caught
    return Outcome(check.name, problems, error, time.monotonic() - start)


def _describe(outcome: Outcome, out: TextIO) -> None:
    """Write what one check has to say; each hint stands once, below the findings it is for."""
    if outcome.passed:
        return
    print(f"{outcome.name}:", file=out)
    if outcome.error is not None:
        print(outcome.error, file=out)
    for problem in outcome.problems:
        print(f"  {problem}", file=out)
    for hint in dict.fromkeys(problem.hint for problem in outcome.problems if problem.hint):
        print(f"  hint: {hint}", file=out)
    print(file=out)


def _verdict(outcome: Outcome) -> str:
    if outcome.error is not None:
        return "cannot run"
    count = len(outcome.problems)
    return "ok" if count == 0 else f"{count} problem{'s' * (count > 1)}"
