# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.unit.wheel.audit.tiny_facts import wheel_facts
from tools.wheel.audit.auditing import audit
from tools.wheel.audit.check import Check, Problem, Severity, check
from tools.wheel.audit.checks import CHECKS
from tools.wheel.audit.settings import Settings, Suppression
from tools.wheel.inspection.facts import WheelFacts


def made(name: str, code: int, *problems: Problem, severity: Severity = Severity.ERROR) -> Check:
    """A check that finds these problems in any wheel."""

    @check(name, exit_code=code, behaviours=(1,), hint="do it", severity=severity)
    def find(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
        """It holds."""
        yield from problems

    return find


def test_audit_without_findings_passes() -> None:
    report = audit(wheel_facts(), [made("a", 60)], Settings())
    assert (report.findings, report.exit_code(), report.exit_code(strict=True)) == ((), 0, 0)


def test_audit_exit_code_is_that_of_the_first_error() -> None:
    checks = [
        made("late", 90, Problem("x", "wrong")),
        made("early", 61, Problem("x", "wrong")),
        made("warning", 60, Problem("x", "odd"), severity=Severity.WARNING),
    ]
    report = audit(wheel_facts(), checks, Settings())
    assert [finding.check.id for finding in report.findings] == ["early", "late", "warning"]
    assert report.exit_code() == 61


@pytest.mark.parametrize(
    ("severity", "usual", "strict"),
    [(Severity.ERROR, 60, 60), (Severity.WARNING, 0, 60), (Severity.NOTE, 0, 0)],
)
def test_audit_severity_decides_whether_it_fails(
    severity: Severity, usual: int, strict: int
) -> None:
    report = audit(wheel_facts(), [made("a", 60, Problem("", "x"), severity=severity)], Settings())
    assert (report.exit_code(), report.exit_code(strict=True)) == (usual, strict)


def test_audit_suppressed_finding_is_reported_and_does_not_fail() -> None:
    settings = Settings(suppressions=(Suppression("a", "the vendor ships it so", "pkg/*.so"),))
    problems = (Problem("pkg/x.so", "wrong"), Problem("other/x.so", "wrong"))
    report = audit(wheel_facts(), [made("a", 60, *problems)], settings)
    reasons = {
        finding.problem.path: finding.suppression and finding.suppression.reason
        for finding in report.findings
    }
    assert reasons == {"pkg/x.so": "the vendor ships it so", "other/x.so": None}
    assert report.exit_code() == 60
    assert report.unused == ()


def test_audit_suppression_that_covers_nothing_is_reported() -> None:
    unused = Suppression("a", "it was so once")
    report = audit(wheel_facts(), [made("a", 60)], Settings(suppressions=(unused,)))
    assert report.unused == (unused,)


def test_audit_findings_of_the_check_hint_unless_they_have_their_own() -> None:
    checks = [made("a", 60, Problem("1", "x"), Problem("2", "x", hint="rather this"))]
    report = audit(wheel_facts(), checks, Settings())
    assert [finding.hint for finding in report.findings] == ["do it", "rather this"]


def test_check_without_docstring_is_refused() -> None:
    with pytest.raises(ValueError, match="check `a` has no docstring"):

        @check("a", exit_code=60, behaviours=(1,), hint="x")
        def find(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
            yield Problem("", "x")


def test_checks_have_ids_and_exit_codes_of_their_own() -> None:
    for first, second in itertools.combinations(CHECKS, 2):
        assert first.id != second.id
        assert first.exit_code != second.exit_code, (first.id, second.id)


def test_checks_are_described_for_people() -> None:
    for item in CHECKS:
        assert item.title.endswith("."), item.id
        assert "\n" not in item.title, item.id
        assert item.hint and not item.hint.endswith("."), item.id
        assert 60 <= item.exit_code <= 119, item.id
        assert set(item.behaviours) <= set(range(1, 43)), item.id


def test_checks_find_nothing_in_a_sound_wheel() -> None:
    report = audit(wheel_facts(paths=["pkg/__init__.py"]), CHECKS, Settings())
    assert [(f.check.id, f.problem) for f in report.findings if f.fails(strict=True)] == []
