# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`clang_format`: format of C++ and CUDA, by `.clang-format`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.programs.program import FIX_HINT, Program
from tools.lint.source_tree import SourceTree

FILES = ("*.c", "*.cc", "*.h", "*.cu", "*.cuh")
REPORT = re.compile(r"^(?P<path>[^:\n]+):(?P<line>\d+):\d+: (?:error|warning): ", re.MULTILINE)


def check(program: Program) -> Check:
    """The check that runs `program`."""

    def find(tree: SourceTree) -> Iterator[Problem]:
        files = list(tree.matching(*FILES))
        if not files:
            return
        done = program.run(
            ["--dry-run", "--Werror", "--ferror-limit=1", *files],
            folder=tree.root,
            accepted=(0, 1),
        )
        for match in REPORT.finditer(done.stderr):
            yield Problem(match["path"], int(match["line"]), "is not formatted", FIX_HINT)

    def fix(tree: SourceTree) -> None:
        files = list(tree.matching(*FILES))
        if files:
            program.run(["-i", *files], folder=tree.root)

    return Check("clang_format", "format of C++ and CUDA", find, fix)
