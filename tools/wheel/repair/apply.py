# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Carries out a repair: only what changes is edited and deflated again.

Everything else goes from one archive into the other as it is, deflated already.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from ..archive.deflate import DEFAULT_LEVEL
from ..archive.jobs import DEFAULT_JOBS
from ..archive.members import Member
from ..archive.reader import WheelReader, open_wheel
from ..archive.writer import write_wheel
from ..elf.edit import edit_elf
from ..inspection.facts import WheelFacts
from .plan import RepairPlan
from .retag import retag
from .statements import render_statements, statement_paths


def apply_repair(
    plan: RepairPlan,
    facts: WheelFacts,
    wheel: Path,
    unpacked: Path,
    output: Path,
    *,
    level: int = DEFAULT_LEVEL,
    jobs: int = DEFAULT_JOBS,
) -> None:
    """Repair `wheel` as planned and write the result to `output`.

    Args:
        plan: the plan made for this wheel.
        facts: the facts that it was made from.
        wheel: the wheel to repair; left as it is.
        unpacked: folder with its ELF files, which are edited there.
        output: the file to write, complete or not at all.
        level: how hard to deflate what is edited, from 1 to 9; 0 stores everything.
        jobs: threads that compress. Does not change the bytes.

    Raises:
        UneditableError: a file that the plan edits is laid out so that it cannot be.
    """
    _edit(plan, unpacked)
    with open_wheel(wheel) as reader:
        members = _members(plan, facts, reader, unpacked)
        write_wheel(output, members, facts.dist_info, level=level, jobs=jobs)


def _members(
    plan: RepairPlan, facts: WheelFacts, reader: WheelReader, unpacked: Path
) -> Iterator[Member]:
    wheel_file = f"{facts.dist_info}/WHEEL"
    for path, text in render_statements(plan, facts, unpacked).items():
        yield Member(path, text.encode("utf-8"))
    for path in reader.paths:
        executable = path in facts.executables
        if path in statement_paths(facts):
            continue
        if path == wheel_file:
            text = retag(reader.read_text(path), plan.output_name.tags())
            yield Member(path, text.encode("utf-8"), executable)
        elif path in plan.edits.own:
            yield Member(path, unpacked / path, executable)
        elif path in facts.hashes:
            yield Member(path, reader.archived(path, facts.hashes[path]), executable)
    for path in plan.edits.grafts:
        yield Member(path, unpacked / path)


def _edit(plan: RepairPlan, unpacked: Path) -> None:
    """Copy what is copied, and edit every file that the plan edits."""
    edits = dict(plan.edits.own)
    for path, graft in plan.edits.grafts.items():
        (unpacked / path).parent.mkdir(exist_ok=True)
        shutil.copyfile(graft.source, unpacked / path)
        edits[path] = graft.edit
    for path, edit in edits.items():
        with (unpacked / path).open("r+b") as stream:
            edit_elf(stream, path, edit.changes)
