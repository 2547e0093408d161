# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`Problem`: one finding of a check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One finding.

    Attributes:
        path: file or folder, relative to the root of the tree.
        line: line in the file, from 1; 0 where the finding is about the whole file.
        message: what is wrong, with the value.
        hint: what to do next; empty where the message says it all.
    """

    path: str
    line: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.message}"
