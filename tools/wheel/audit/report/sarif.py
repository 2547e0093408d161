# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The report as SARIF 2.1.0, which code hosts and editors show beside the code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from ..auditing import Finding, Report
from ..check import Check

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def render_sarif(reports: Iterable[Report]) -> str:
    """A SARIF log with one run."""
    reports = tuple(reports)
    checks = {check.id: check for report in reports for check in report.checks}
    rules = sorted(checks.values(), key=lambda check: check.exit_code)
    driver = {"name": "tilewright-audit", "rules": [_rule(check) for check in rules]}
    results = [_result(report, finding) for report in reports for finding in report.findings]
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(check: Check) -> dict[str, Any]:
    return {
        "id": check.id,
        "shortDescription": {"text": check.title},
        "help": {"text": check.hint},
        "defaultConfiguration": {"level": check.severity.value},
    }


def _result(report: Report, finding: Finding) -> dict[str, Any]:
    wheel = str(report.wheel.name)
    what = finding.problem.what
    if finding.problem.chain:
        what += f" (chain: {' -> '.join(finding.problem.chain)})"
    place = quote(f"{wheel}/{finding.problem.path}".rstrip("/"))
    result: dict[str, Any] = {
        "ruleId": finding.check.id,
        "level": finding.check.severity.value,
        "message": {"text": f"{what}. {finding.hint}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": place}}}],
    }
    if finding.suppression:
        result["suppressions"] = [{"kind": "external", "justification": finding.suppression.reason}]
    return result
