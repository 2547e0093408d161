# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line: builds twice, or takes two wheels; compares, explains, prints."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tools.wheel.archive.command import command

from .build import build_twice
from .errors import SourceError
from .explain import explain
from .report import render_json, render_text
from .wheels import compare_wheels

_NAME = "reproducibility"
_EPILOG = (
    "Exit code: 0 for the same sha256, 1 for another, 2 for wrong usage, others for what cannot be "
    "read or built."
)


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    if arguments[:1] == ["compare"]:
        parser = argparse.ArgumentParser(
            prog=f"{_NAME} compare",
            description="Says in what two wheels differ.",
            epilog=_EPILOG,
        )
        parser.add_argument("wheels", nargs=2, type=Path, metavar="WHEEL")
        arguments = arguments[1:]
    else:
        parser = argparse.ArgumentParser(
            prog=_NAME,
            description="Builds the wheel of HEAD twice, in two folders with other surroundings, "
            "and says in what the two differ. `compare FIRST SECOND` does so with two wheels.",
            epilog=_EPILOG,
        )
        text = "what makes the wheel (default: //python:wheel)"
        parser.add_argument(
            "target", nargs="?", default="//python:wheel", metavar="TARGET", help=text
        )
        text = "folder to build in, which keeps both wheels (default: a temporary one)"
        parser.add_argument("--work", type=Path, metavar="DIR", help=text)
        parser.set_defaults(wheels=None)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args(arguments)


@command(_NAME)
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    options = parse_arguments(sys.argv[1:] if arguments is None else list(arguments))
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f"{_NAME}-")))
        if options.wheels:
            first, second = options.wheels
        else:
            work = options.work or temporary
            work.mkdir(parents=True, exist_ok=True)
            first, second = build_twice(_workspace(), options.target, work.resolve())
        folder = temporary / "differing"
        comparison = compare_wheels(first, second, folder)
        explanations = explain(comparison, folder)
        render = render_json if options.json else render_text
        print(render(comparison, explanations), end="")
    return 0 if comparison.same else 1


def _workspace() -> Path:
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if workspace is None:
        raise SourceError(
            "no workspace to build", hint="run it with `./tools/bazel run //tools/reproducibility`"
        )
    return Path(workspace)
