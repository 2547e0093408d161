# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of lint: parses, then calls the runner."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.lint import catalogue, runner
from tools.lint.errors import LintError, TreeError
from tools.lint.source_tree import SourceTree

WORKSPACE_VARIABLE = "BUILD_WORKSPACE_DIRECTORY"


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    parser = argparse.ArgumentParser(prog="lint", description="Check the source tree, or mend it.")
    parser.add_argument("action", choices=("check", "fix", "list"))
    parser.add_argument("names", nargs="*", metavar="CHECK", help="only these (default: all)")
    parser.add_argument(
        "--root", type=Path, help=f"root of the source tree (default: ${WORKSPACE_VARIABLE})"
    )
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="CHECK=PATH",
        help="where the program of a check is; relative paths are runfiles",
    )
    return parser.parse_intermixed_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run lint; returns the exit code."""
    options = parse_arguments(arguments)
    try:
        checks = catalogue.select(catalogue.checks(_programs(options.program)), options.names)
        if options.action == "list":
            for check in checks:
                print(f"{check.name:<16}{check.summary}{' (fixes)' if check.fix else ''}")
            return 0
        tree = SourceTree.at(_root(options.root))
        act = runner.fix_all if options.action == "fix" else runner.find_all
        return act(checks, tree, sys.stdout)
    except LintError as error:
        print(f"lint: {error}", file=sys.stderr)
        return error.exit_code


def _root(named: Path | None) -> Path:
    if named is not None:
        return named
    workspace = os.environ.get(WORKSPACE_VARIABLE)
    if not workspace:
        raise TreeError(
            f"${WORKSPACE_VARIABLE} is not set, so the source tree is unknown",
            "run `bazel run //tools/lint:check`, or name the tree with --root",
        )
    return Path(workspace)


def _programs(named: Sequence[str]) -> dict[str, Path]:
    """Paths by check, from `CHECK=PATH` words; what is not named is looked for on PATH."""
    paths = {name: Path(name.replace("_", "-")) for name in catalogue.PROGRAMS}
    for word in named:
        name, _, path = word.partition("=")
        paths[name] = _runfiles() / path
    return paths


def _runfiles() -> Path:
    """The folder of the files that Bazel brought; the current one outside Bazel."""
    for folder in Path(__file__).absolute().parents:
        if folder.suffix == ".runfiles":
            return folder
    return Path.cwd()
