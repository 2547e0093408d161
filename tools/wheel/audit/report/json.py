# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The report for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ...fatbin.summary import summarize_all
from ..auditing import Finding, Report

#: Raised when a key changes its meaning or goes away.
SCHEMA_VERSION = 1


def render_json(reports: Iterable[Report], *, strict: bool) -> str:
    """A JSON object with the reports in `wheels`."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "wheels": [_wheel(report, strict=strict) for report in reports],
    }
    return json.dumps(content, indent=2) + "\n"


def _wheel(report: Report, *, strict: bool) -> dict[str, Any]:
    return {
        "wheel": str(report.wheel.name),
        "size": report.wheel.size,
        "exit_code": report.exit_code(strict=strict),
        "device_code": [
            summary.as_json()
            for summary in summarize_all(report.wheel.elf_files, report.wheel.device_code)
        ],
        "findings": [_finding(finding) for finding in report.findings],
        "unused_suppressions": [
            {"check": item.check, "path": item.path, "reason": item.reason}
            for item in report.unused
        ],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "check": finding.check.id,
        "severity": finding.check.severity.value,
        "exit_code": finding.check.exit_code,
        "path": finding.problem.path,
        "what": finding.problem.what,
        "chain": list(finding.problem.chain),
        "hint": finding.hint,
        "suppressed": finding.suppression.reason if finding.suppression else None,
    }
