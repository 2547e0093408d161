# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`ruff`: lint and format of Python, by `pyproject.toml`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.programs.program import FIX_HINT, Program
from tools.lint.source_tree import SourceTree

FILES = ("*.py", "*.pyi")
CACHE = "--cache-dir=.cache/ruff"


def check(program: Program) -> Check:
    """The check that runs `program`."""

    def find(tree: SourceTree) -> Iterator[Problem]:
        files = list(tree.matching(*FILES))
        if not files:
            return
        linted = program.run(
            ["check", CACHE, "--output-format=json", "--exit-zero", *files], folder=tree.root
        )
        for finding in json.loads(linted.stdout):
            yield Problem(
                str(Path(finding["filename"]).relative_to(tree.root)),
                finding["location"]["row"],
                f"{finding['message']} ({finding['code']})",
                FIX_HINT if finding["fix"] else "",
            )
        formatted = program.run(
            ["format", CACHE, "--check", "--quiet", "--output-format=concise", *files],
            folder=tree.root,
            accepted=(0, 1),
        )
        for line in formatted.stdout.splitlines():
            yield Problem(line.partition(":")[0], 0, "is not formatted", FIX_HINT)

    def fix(tree: SourceTree) -> None:
        files = list(tree.matching(*FILES))
        program.run(["check", CACHE, "--fix", "--exit-zero", *files], folder=tree.root)
        program.run(["format", CACHE, *files], folder=tree.root)

    return Check("ruff", "lint and format of Python", find, fix)
