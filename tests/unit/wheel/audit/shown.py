# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What people see of one check."""

from __future__ import annotations

from tools.wheel.audit.auditing import audit
from tools.wheel.audit.check import Check
from tools.wheel.audit.report.text import render_text
from tools.wheel.audit.settings import Settings
from tools.wheel.inspection.facts import WheelFacts

__all__ = ["shown"]


def shown(check: Check, wheel: WheelFacts, settings: Settings | None = None) -> str:
    """The lines of the report between the wheel's name and the verdict."""
    report = audit(wheel, [check], settings or Settings())
    _, *lines, _ = render_text([report], strict=False).splitlines()
    return "\n".join(lines)
