# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`Check`: the interface of everything that lint runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree


@dataclass(frozen=True)
class Check:
    """One thing that lint looks for.

    Attributes:
        name: its name on the command line, the stem of its module.
        summary: what it looks for, in a few words.
        find: gives the problems of a tree; reads only.
        fix: mends what it can, in place; None where a person must.
    """

    name: str
    summary: str
    find: Callable[[SourceTree], Iterable[Problem]]
    fix: Callable[[SourceTree], None] | None = None
