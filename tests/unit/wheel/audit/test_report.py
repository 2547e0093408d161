# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from collections.abc import Iterator

from tests.unit.wheel.audit.tiny_facts import NAME, wheel_facts
from tools.wheel.audit.auditing import Report, audit
from tools.wheel.audit.check import Problem, Severity, check
from tools.wheel.audit.report.json import render_json
from tools.wheel.audit.report.sarif import render_sarif
from tools.wheel.audit.report.text import render_text
from tools.wheel.audit.settings import Settings, Suppression
from tools.wheel.inspection.facts import WheelFacts


@check("stack", exit_code=70, behaviours=(12,), hint="link with `-z noexecstack`")
def stack(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No stack is executable."""
    yield Problem("pkg/a b.so", "its stack is executable", chain=("pkg/_C.so", "pkg/a b.so"))
    yield Problem("pkg/b.so", "its stack is executable", hint="patch it")
    yield Problem("pkg/c.so", "its stack is executable")
    yield Problem("pkg/old.so", "its stack is executable")


@check("size", exit_code=60, behaviours=(34,), hint="split it", severity=Severity.WARNING)
def size(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """It is small."""
    yield Problem("", "99 MB of 100 MB")


def report() -> Report:
    settings = Settings(
        suppressions=(
            Suppression("stack", "the vendor's", "pkg/old.so"),
            Suppression("size", "gone", "nowhere"),
        )
    )
    return audit(wheel_facts(), [stack, size], settings)


def test_text_report_says_what_where_why_and_what_next() -> None:
    assert render_text([report()], strict=False) == (
        f"{NAME}\n"
        "  error      stack: `pkg/a b.so`: its stack is executable\n"
        "             chain: pkg/_C.so -> pkg/a b.so\n"
        "  error      stack: `pkg/c.so`: its stack is executable\n"
        "             hint: link with `-z noexecstack`\n"
        "  error      stack: `pkg/b.so`: its stack is executable\n"
        "             hint: patch it\n"
        "  suppressed stack: `pkg/old.so`: its stack is executable\n"
        "             reason: the vendor's\n"
        "  warning    size: 99 MB of 100 MB\n"
        "             hint: split it\n"
        "  unused     the suppression of size for `nowhere` covers nothing: remove it\n"
        "FAILED: 3 errors, 1 warning, 0 notes, 1 suppressed; 2 checks\n"
    )


def test_text_report_of_a_clean_wheel_is_two_lines() -> None:
    clean = audit(wheel_facts(), [], Settings())
    expected = f"{NAME}\npassed: 0 errors, 0 warnings, 0 notes; 0 checks\n"
    assert render_text([clean], strict=True) == expected


def test_json_report_has_every_finding() -> None:
    content = json.loads(render_json([report()], strict=False))
    assert content["schema_version"] == 1
    (wheel,) = content["wheels"]
    assert (wheel["wheel"], wheel["exit_code"]) == (NAME, 70)
    assert wheel["findings"][0] == {
        "check": "stack",
        "severity": "error",
        "exit_code": 70,
        "path": "pkg/a b.so",
        "what": "its stack is executable",
        "chain": ["pkg/_C.so", "pkg/a b.so"],
        "hint": "link with `-z noexecstack`",
        "suppressed": None,
    }
    suppressed = [finding["suppressed"] for finding in wheel["findings"]]
    assert suppressed == [None, None, None, "the vendor's", None]
    assert wheel["unused_suppressions"] == [{"check": "size", "path": "nowhere", "reason": "gone"}]


def test_sarif_report_has_rules_levels_places_and_suppressions() -> None:
    log = json.loads(render_sarif([report()]))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["size", "stack"]
    assert rules[1]["shortDescription"] == {"text": "No stack is executable."}
    first, *_, suppressed, last = run["results"]
    assert (first["ruleId"], first["level"]) == ("stack", "error")
    place = first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == f"{NAME}/pkg/a%20b.so"
    assert "suppressions" not in first
    assert suppressed["suppressions"] == [{"kind": "external", "justification": "the vendor's"}]
    uri = last["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert (last["level"], uri) == ("warning", NAME)
