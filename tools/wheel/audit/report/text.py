# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The report for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ..auditing import Finding, Report
from ..check import Severity


def render_text(reports: Iterable[Report], *, strict: bool) -> str:
    """One block a wheel, worst findings first, then a line with the counts.

    Findings of a check with the same next step stand together, above the step.
    """
    return "\n".join(_wheel(report, strict=strict) for report in reports)


def _wheel(report: Report, *, strict: bool) -> str:
    lines = [str(report.wheel.name)]
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in report.findings:
        hint = "" if finding.suppression else finding.hint
        groups.setdefault((finding.check.id, hint), []).append(finding)
    for (_, hint), group in groups.items():
        for finding in group:
            lines += _finding(finding)
        if hint:
            lines.append(f"             hint: {hint}")
    for suppression in report.unused:
        lines.append(
            f"  unused     the suppression of {suppression.check} for `{suppression.path}` covers "
            "nothing: remove it"
        )
    counts = Counter(
        finding.check.severity for finding in report.findings if finding.suppression is None
    )
    suppressed = sum(finding.suppression is not None for finding in report.findings)
    summary = ", ".join(
        f"{counts[severity]} {severity.value}{'' if counts[severity] == 1 else 's'}"
        for severity in Severity
    )
    if suppressed:
        summary += f", {suppressed} suppressed"
    verdict = "passed" if report.exit_code(strict=strict) == 0 else "FAILED"
    lines.append(f"{verdict}: {summary}; {len(report.checks)} checks")
    return "\n".join(lines) + "\n"


def _finding(finding: Finding) -> Iterator[str]:
    problem = finding.problem
    place = f"`{problem.path}`: " if problem.path else ""
    word = "suppressed" if finding.suppression else finding.check.severity.value
    yield f"  {word:<10} {finding.check.id}: {place}{problem.what}"
    if problem.chain:
        yield f"             chain: {' -> '.join(problem.chain)}"
    if finding.suppression:
        yield f"             reason: {finding.suppression.reason}"
