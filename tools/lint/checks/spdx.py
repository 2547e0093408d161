# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`spdx`: every source file starts with the two SPDX lines (https://reuse.software/spec)."""

from __future__ import annotations

from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

EXPECTED = (
    "SPDX-FileCopyrightText: " + "tilewright contributors",
    "SPDX-License-Identifier: " + "Apache-2.0",
)
SUFFIXES = ("*.py", "*.pyi", "*.bzl", "*.BUILD", "BUILD", "*.c", "*.cc", "*.h", "*.cu", "*.cuh")
SHELL = ("*.sh", "bazel", "run")

MARKERS = ("# ", "// ", "/* ")


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of files whose header is missing, incomplete or in another order."""
    for path in tree.matching(*SUFFIXES, *SHELL):
        lines = tree.text(path).splitlines()[:4]
        if lines and lines[0].startswith("#!"):
            del lines[0]
        if path.rpartition("/")[2] in SHELL and not tree.text(path).startswith("#!"):
            continue
        head = tuple(_uncommented(line) for line in lines[:2])
        if head != EXPECTED:
            yield Problem(
                path,
                1,
                "the SPDX header is missing or differs",
                f"start the file with `{EXPECTED[0]}` and `{EXPECTED[1]}`, one comment line each",
            )


def _uncommented(line: str) -> str:
    for marker in MARKERS:
        if line.startswith(marker):
            return line.removeprefix(marker).removesuffix(" */")
    return line


CHECK = Check("spdx", "two SPDX lines at the top of each source file", find)
