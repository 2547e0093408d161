# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The command line of `python -m tilewright`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from tilewright import __version__
from tilewright.doctor.diagnose import diagnose
from tilewright.doctor.inspect import inspect
from tilewright.doctor.report import Report
from tilewright.doctor.text import render

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Runs a command; returns its exit code: 0, or 1 when the doctor found a problem."""
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
        "a machine without a GPU is fine.",
    )
    doctor.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args(arguments)

    facts = inspect()
    report = Report(facts, diagnose(facts))
    if options.json:
        json.dump(report.to_json(), sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        sys.stdout.write(render(report))
    return 1 if report.problems else 0
