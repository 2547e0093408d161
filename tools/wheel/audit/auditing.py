# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the checks over a wheel's facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..inspection.facts import WheelFacts
from .check import Check, Problem, Severity
from .settings import Settings, Suppression


@dataclass(frozen=True)
class Finding:
    """One problem, with the check that found it and the reason to live with it, if there is one."""

    check: Check
    problem: Problem
    suppression: Suppression | None = None

    @property
    def hint(self) -> str:
        """What to do next."""
        return self.problem.hint or self.check.hint

    def fails(self, *, strict: bool) -> bool:
        """Whether the audit fails because of it."""
        failing = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
        return self.suppression is None and self.check.severity in failing


@dataclass(frozen=True)
class Report:
    """Everything found in one wheel, errors first."""

    wheel: WheelFacts
    checks: tuple[Check, ...]
    findings: tuple[Finding, ...]
    #: Suppressions that covered nothing: the reason for them is gone.
    unused: tuple[Suppression, ...]

    def exit_code(self, *, strict: bool = False) -> int:
        """0 when nothing fails, else the code of the first finding that does."""
        failing = [finding for finding in self.findings if finding.fails(strict=strict)]
        return failing[0].check.exit_code if failing else 0


def audit(wheel: WheelFacts, checks: Iterable[Check], settings: Settings) -> Report:
    """Run every check.

    Args:
        wheel: the facts.
        checks: the checks, each id once.
        settings: what the project declares.
    """
    checks = tuple(checks)
    findings = [
        Finding(check, problem, _suppression(check, problem, settings))
        for check in checks
        for problem in check.find(wheel, settings)
    ]
    order = list(Severity)
    findings.sort(
        key=lambda finding: (
            order.index(finding.check.severity),
            finding.check.exit_code,
            finding.problem.path,
            finding.problem.what,
        )
    )
    used = {finding.suppression for finding in findings}
    unused = tuple(item for item in settings.suppressions if item not in used)
    return Report(wheel, checks, tuple(findings), unused)


def _suppression(check: Check, problem: Problem, settings: Settings) -> Suppression | None:
    return next(
        (item for item in settings.suppressions if item.covers(check.id, problem.path)), None
    )
