# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks and what they find.

A check is a generator over the facts of a wheel, made with `@check`:

    @check("elf-executable-stack", exit_code=70, behaviours=(12,), hint="link with `-z ...`")
    def executable_stack(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
        \"\"\"No file asks for an executable stack.\"\"\"
        for path, elf in wheel.elf_files.items():
            if ...:
                yield Problem(path, "its stack is executable")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from ..inspection.facts import WheelFacts
from .settings import Settings


class Severity(Enum):
    """What a finding means for the wheel."""

    #: It breaks on some machine that its tags promise, chance decides what is loaded, or an index
    #: refuses it.
    ERROR = "error"
    #: It is likely to hurt; fails only with `--strict`.
    WARNING = "warning"
    #: Worth knowing; never fails.
    NOTE = "note"


@dataclass(frozen=True)
class Problem:
    """What a check found in one place."""

    #: Path of the file in the wheel; "" for the wheel as a whole.
    path: str
    #: What is wrong, with the library, symbol or value that is.
    what: str
    #: How the file is reached, from a file of the wheel to the library in question.
    chain: tuple[str, ...] = ()
    #: What to do next, where the check's own hint is not it.
    hint: str = ""


Find = Callable[[WheelFacts, Settings], Iterator[Problem]]


@dataclass(frozen=True)
class Check:
    """One property of a good wheel."""

    #: Name in reports, settings and suppressions, such as elf-executable-stack.
    id: str
    #: Exit code of the audit when this is the first check that fails.
    exit_code: int
    severity: Severity
    #: Numbers of the behaviours in the reference that it covers.
    behaviours: tuple[int, ...]
    #: The property, in a sentence.
    title: str
    #: What to do next.
    hint: str
    find: Find


def check(
    check_id: str,
    *,
    exit_code: int,
    behaviours: tuple[int, ...],
    hint: str,
    severity: Severity = Severity.ERROR,
) -> Callable[[Find], Check]:
    """Make a check of a generator; its docstring is the title."""

    def make(find: Find) -> Check:
        title = (find.__doc__ or "").strip()
        if not title:
            raise ValueError(f"check `{check_id}` has no docstring")
        return Check(check_id, exit_code, severity, behaviours, title, hint, find)

    return make
