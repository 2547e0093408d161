# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What findings share: phrases, and the way to a file."""

from __future__ import annotations

from collections.abc import Iterable

from ...elf.graph import ElfGraph
from ...inspection.facts import WheelFacts

_NAMED = 3


def some(names: Iterable[str], most: int = _NAMED) -> str:
    """The first few names and the number of the others: `a`, `b`, `c` and 5 more."""
    names = list(names)
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def chain_to(wheel: WheelFacts, path: str) -> tuple[str, ...]:
    """How a file of the wheel is reached; nothing where no other file needs it."""
    chain = ElfGraph(wheel.elf_files).chain(path)
    return chain if len(chain) > 1 else ()


def amount(size: int) -> str:
    """A number of bytes for people."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.1f} kB"
