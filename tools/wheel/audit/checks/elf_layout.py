# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How ELF files are laid out."""

from __future__ import annotations

from collections.abc import Iterator

from ...elf.elf_file import EXECUTABLE
from ...inspection.facts import WheelFacts
from ..check import Problem, check
from ..settings import Settings


@check(
    "elf-executable-stack",
    exit_code=70,
    behaviours=(12,),
    hint="link with `-z noexecstack`; in assembly sources add a `.note.GNU-stack` section",
)
def executable_stack(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No file asks for an executable stack, which hardened systems refuse to load."""
    for path, elf in sorted(wheel.elf_files.items()):
        stacks = [segment for segment in elf.segments if segment.kind == "GNU_STACK"]
        if any(segment.flags & EXECUTABLE for segment in stacks):
            yield Problem(path, "its PT_GNU_STACK segment is executable")


CHECKS = (executable_stack,)
