# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the planned wheel: the only side effect of this tool."""

from __future__ import annotations

from pathlib import Path

from ..archive.deflate import DEFAULT_LEVEL
from ..archive.jobs import DEFAULT_JOBS
from ..archive.writer import write_wheel
from .plan import AssemblyPlan


def apply_plan(plan: AssemblyPlan, output: Path, *, jobs: int = DEFAULT_JOBS) -> None:
    """Write the wheel to `output`; the bytes depend on the plan alone.

    Raises:
        CompressorError: the compressor is not the pinned one.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    level = DEFAULT_LEVEL if plan.compress else 0
    write_wheel(output, plan.members, plan.name.dist_info, level=level, jobs=jobs)
