# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Facts of wheels with real ELF files, and what one check finds in them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

from packaging.requirements import Requirement

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit.tiny_facts import NAME, metadata, wheel_facts
from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.audit.check import Check
from tools.wheel.audit.settings import Settings
from tools.wheel.elf.reader import read_elf
from tools.wheel.inspection.facts import WheelFacts


def elf_wheel(
    elf_files: Mapping[str, TinyElf],
    name: str = NAME,
    *,
    requires: Iterable[str] = (),
    requires_python: str = "",
    **changes: Any,
) -> WheelFacts:
    """A wheel with these ELF files, each built and read."""
    read = [read_elf(io.BytesIO(elf.build()), path) for path, elf in elf_files.items()]
    parsed = parse_wheel_name(name)
    changes.setdefault(
        "metadata",
        metadata(
            version=parsed.version,
            tags=parsed.tags(),
            requires_dist=tuple(Requirement(text) for text in requires),
            requires_python=requires_python,
        ),
    )
    return wheel_facts([elf for elf in read if elf], name=name, **changes)


def found(
    check: Check, wheel: WheelFacts, settings: Settings | None = None
) -> list[tuple[str, str]]:
    """Path and text of each problem."""
    problems = check.find(wheel, settings or Settings())
    return [(problem.path, problem.what) for problem in problems]
