# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of the assembler: parses, then calls plan and apply."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from ..archive.command import command
from ..archive.jobs import add_jobs_option
from .apply import apply_plan
from .plan import plan_assembly
from .request import read_request


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    parser = argparse.ArgumentParser(
        prog="assemble", description="Assemble a wheel from files and metadata, deterministically."
    )
    parser.add_argument("--request", type=Path, required=True, help="JSON file with the request")
    parser.add_argument("--output", type=Path, required=True, help="wheel to write")
    add_jobs_option(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print the plan as JSON and write nothing"
    )
    return parser.parse_args(arguments)


@command("assemble")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the assembler; returns the exit code."""
    options = parse_arguments(arguments)
    plan = plan_assembly(read_request(options.request))
    if options.dry_run:
        print(json.dumps(plan.as_json(), indent=2))
    else:
        apply_plan(plan, options.output, jobs=options.jobs)
    return 0
