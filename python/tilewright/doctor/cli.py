# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The command line of `python -m tilewright`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from tilewright import __version__
from tilewright.doctor.diagnose import diagnose
from tilewright.doctor.inspect import inspect
from tilewright.doctor.report import Report
from tilewright.doctor.text import render

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Runs a command; returns its exit code.

    0; 1 when the doctor found a problem; 3 when the report could not be written.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tilewright", description="Fused operators for LLM inference."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    doctor = commands.add_parser(
        "doctor",
        help="say what this installation can do, and how to repair what it cannot",
        description="Prints versions, libraries, the driver, GPUs, the CUDA version chosen and "
        "why, and a fix for each problem. Exits with 1 when something that should work does not; "
        "a machine without a GPU is fine; with 3 when the report cannot be written.",
    )
    doctor.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args(arguments)

    facts = inspect()
    report = Report(facts, diagnose(facts))
    text = json.dumps(report.to_json(), indent=2) + "\n" if options.json else render(report)
    if not _print(text):
        return 3
    return 1 if report.problems else 0


def _print(text: str) -> bool:
    """Writes to stdout; whether that succeeded. Nobody is told when the reader has gone."""
    if sys.stdout is None:  # closed by the caller
        return False
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        # The interpreter flushes once more at exit, and would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"tilewright: the report cannot be written: {error}", file=sys.stderr)
        return False
    return True
