# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`file_size`: a long file hides a second concept."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

BUDGETS = {
    "*.bzl": 200,
    "BUILD": 150,
    "*.BUILD": 150,
    "*.py": 400,
    "*.pyi": 400,
    "*.cc": 400,
    "*.h": 400,
    "*.cu": 400,
    "*.cuh": 400,
}
"""Lines, by shell pattern of the file name."""

DATA = ("*_lock.bzl", "*_table.bzl", "lock.bzl", "pin.bzl")
"""Tables, not logic: as long as what they list."""


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of files longer than the budget of their kind."""
    for path in tree.files:
        name = path.rpartition("/")[2]
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in DATA):
            continue
        budget = next((b for p, b in BUDGETS.items() if fnmatch.fnmatchcase(name, p)), None)
        if budget is None:
            continue
        lines = tree.text(path).count("\n")
        if lines > budget:
            yield Problem(path, 0, f"{lines} lines, the budget is {budget}", "split it by concept")


CHECK = Check("file_size", "line budgets by kind of file", find)
