# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`mypy`: types of Python, by `pyproject.toml`."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from tools.lint.check import Check
from tools.lint.errors import ProgramError
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

FINDING = re.compile(r"^(?P<path>[^:]+):(?P<line>\d+): error: (?P<message>.*)$")


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of types.

    mypy runs in this process: it then looks for the packages that the code imports where this
    process does, among those that Bazel brought.

    Raises:
        ProgramError: mypy is not there, or failed.
    """
    try:
        from mypy import api
    except ImportError as error:
        raise ProgramError(
            "the package `mypy` is not there",
            "run lint through Bazel, which brings its programs: `bazel run //tools/lint:check`",
        ) from error
    files = [path for path in tree.matching("*.py", "*.pyi") if not _shadowed(tree, path)]
    with _inside(tree.root):
        output, complaint, code = api.run(
            [
                "--config-file=pyproject.toml",
                "--cache-dir=.cache/mypy",
                "--no-error-summary",
                "--hide-error-context",
                "--no-pretty",
                "--no-color-output",
                *files,
            ]
        )
    findings = [match for line in output.splitlines() if (match := FINDING.match(line))]
    if code not in (0, 1) or (code == 1 and not findings):
        raise ProgramError(f"mypy failed\n{output}{complaint}", "see what it says above")
    for match in findings:
        yield Problem(match["path"], int(match["line"]), match["message"])


def _shadowed(tree: SourceTree, path: str) -> bool:
    """Whether `path` is a module whose stub stands beside it; mypy reads the stub."""
    return path.endswith(".py") and tree.exists(path + "i")


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


CHECK = Check("mypy", "types of Python", find)
