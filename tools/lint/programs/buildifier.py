# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`buildifier`: format and lint of Starlark."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.programs.program import FIX_HINT, Program
from tools.lint.source_tree import SourceTree

FILES = ("*.bzl", "BUILD", "*.BUILD", "MODULE.bazel", "WORKSPACE")

SUPPRESSED = (
    "bzl-visibility",  # tests load the private files that they test
    "function-docstring-return",  # where the first line says it all
    "module-docstring",  # a BUILD file of a few targets needs none
    "native-cc-common",  # the C++ symbols are loaded from rules_cc once every Bazel that is
    "native-cc-info",  # supported comes with a rules_cc that has them
    "native-cc-toolchain-config-info",
)

WARNINGS = "-warnings=" + ",".join(f"-{name}" for name in SUPPRESSED)


def check(program: Program) -> Check:
    """The check that runs `program`."""

    def find(tree: SourceTree) -> Iterator[Problem]:
        files = list(tree.matching(*FILES))
        if not files:
            return
        done = program.run(
            ["-mode=check", "-format=json", "-lint=warn", WARNINGS, *files],
            folder=tree.root,
            accepted=(0, 1, 4),  # 1: no valid Starlark, 4: findings
        )
        for file in json.loads(done.stdout)["files"]:
            path = file["filename"]
            if not file["valid"]:
                yield Problem(path, 0, "is no valid Starlark\n" + done.stderr.strip())
            elif not file["formatted"]:
                yield Problem(path, 0, "is not formatted", FIX_HINT)
            for warning in file["warnings"] or []:
                yield Problem(
                    path,
                    warning["start"]["line"],
                    f"{warning['message']} ({warning['category']})",
                    warning["url"],
                )

    def fix(tree: SourceTree) -> None:
        program.run(["-mode=fix", "-lint=off", *tree.matching(*FILES)], folder=tree.root)

    return Check("buildifier", "format and lint of Starlark", find, fix)
