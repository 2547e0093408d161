# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The checks there are, in the order they run: quick ones first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tools.lint.check import Check
from tools.lint.checks import (
    binaries,
    copies,
    device_symbols,
    doc_links,
    file_size,
    names,
    news,
    reference,
    spdx,
    version,
    words,
)
from tools.lint.errors import UnknownCheckError
from tools.lint.programs import buildifier, clang_format, mypy, ruff
from tools.lint.programs.program import Program

OWN = (
    spdx.CHECK,
    names.CHECK,
    binaries.CHECK,
    file_size.CHECK,
    words.CHECK,
    doc_links.CHECK,
    news.CHECK,
    version.CHECK,
    copies.CHECK,
    reference.CHECK,
    device_symbols.CHECK,
)

PROGRAMS = {
    "buildifier": buildifier.check,
    "clang_format": clang_format.check,
    "ruff": ruff.check,
}


def checks(programs: Mapping[str, Path]) -> tuple[Check, ...]:
    """All checks.

    Args:
        programs: where the outside programs are, by the name of their check.
    """
    outside = (make(Program(name, programs[name])) for name, make in PROGRAMS.items())
    return (*OWN, *outside, mypy.CHECK)


def select(available: tuple[Check, ...], names: list[str]) -> tuple[Check, ...]:
    """The checks called `names`, or all of them where no name is given.

    Raises:
        UnknownCheckError: a name is none of theirs.
    """
    by_name = {check.name: check for check in available}
    for name in names:
        if name not in by_name:
            raise UnknownCheckError(
                f"no check is called `{name}`", f"choose from: {', '.join(by_name)}"
            )
    return tuple(check for check in available if not names or check.name in names)
