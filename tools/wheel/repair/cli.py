# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of the repair tool: parses, then calls inspect, plan, apply and verify."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..archive.command import command, write_text
from ..archive.deflate import DEFAULT_LEVEL
from ..archive.errors import FileAccessError
from ..archive.jobs import add_jobs_option
from ..inspection.reading import read_wheel
from .apply import apply_repair
from .checks import check_record
from .errors import NameMismatchError
from .plan import Options, RepairPlan, plan_repair
from .verify import verify_repair


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    parser = argparse.ArgumentParser(
        prog="tilewright-repair",
        description="Repair a wheel for one declared platform; same inputs, same bytes.",
    )
    parser.add_argument("wheel", type=Path, help="wheel to repair; left as it is")
    parser.add_argument("--plat", required=True, help="platform tag, such as manylinux_2_27_x86_64")
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument(
        "--output", type=Path, help="file to write; its name must be the one that repair gives"
    )
    target.add_argument("-w", "--wheel-dir", type=Path, help="folder to write the wheel into")
    target.add_argument(
        "--dry-run", action="store_true", help="print the plan as JSON and write nothing"
    )
    parser.add_argument(
        "--exclude-family",
        action="append",
        default=[],
        metavar="FAMILY",
        help="libraries that stay outside, by provider: cuda, torch, tvm, tvm_ffi (repeatable)",
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="soname pattern that stays outside, such as 'libfoo.so.*' (repeatable)",
    )
    parser.add_argument(
        "--library-folder",
        action="append",
        default=[],
        type=_folder,
        metavar="FOLDER",
        help="folder that libraries may be copied from; the machine's own are never used",
    )
    parser.add_argument(
        "--allow-grafted",
        action="append",
        default=[],
        metavar="PATTERN",
        help="soname pattern of libraries in those folders that may be copied (repeatable)",
    )
    parser.add_argument(
        "--no-search-paths",
        action="store_false",
        dest="search_paths",
        help="leave search paths as they are; without this, files that need an excluded library "
        "get the way to it in the packages that the wheel requires, and entries that lead nowhere "
        "are dropped",
    )
    parser.add_argument("--report", type=Path, help="also write the plan as JSON to this file")
    parser.add_argument(
        "--level",
        type=int,
        choices=range(10),
        default=DEFAULT_LEVEL,
        help="how hard to deflate the files that change, from 1, fast, to 9, small; 0 stores every "
        "file (default: %(default)s)",
    )
    add_jobs_option(parser)
    return parser.parse_args(arguments)


@command("tilewright-repair")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the repair tool; returns the exit code."""
    options = parse_arguments(arguments)
    # Beside the result, which is moved there last: a wheel that fails never gets its name, and
    # nothing is left but what is complete.
    folder = options.wheel_dir or (options.output.parent if options.output else None)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".repair-") as scratch:
        _repair(options, Path(scratch))
    return 0


def _repair(options: argparse.Namespace, scratch: Path) -> None:
    unpacked = None if options.dry_run else scratch / "unpacked"
    before = read_wheel(options.wheel, unpack=unpacked, build_paths=False, jobs=options.jobs)
    check_record(before)
    plan = plan_repair(
        before,
        Options(
            platform=options.plat,
            families=tuple(options.exclude_family),
            patterns=tuple(options.exclude),
            library_folders=tuple(options.library_folder),
            allow_grafted=tuple(options.allow_grafted),
            search_paths=options.search_paths,
        ),
    )
    if options.report:
        options.report.parent.mkdir(parents=True, exist_ok=True)
        write_text(options.report, _as_text(plan))
    if unpacked is None:
        print(_as_text(plan), end="")
        return
    output = _output(options, plan)
    staged = scratch / output.name
    apply_repair(
        plan,
        before,
        options.wheel,
        unpacked,
        staged,
        level=options.level,
        jobs=options.jobs,
    )
    after = read_wheel(staged, build_paths=False, jobs=options.jobs)
    verify_repair(plan, before, after)
    staged.replace(output)
    if options.wheel_dir:
        print(output)


def _output(options: argparse.Namespace, plan: RepairPlan) -> Path:
    output = Path(options.output or options.wheel_dir / str(plan.output_name))
    if output.exists() and output.samefile(options.wheel):
        raise FileAccessError(
            f"the repaired wheel would take the place of `{options.wheel}`, which has its name",
            hint="give another folder; the wheel to repair is left as it is",
        )
    if output.name != str(plan.output_name):
        raise NameMismatchError(
            f"the repaired wheel is `{plan.output_name}`, but `--output` names `{output.name}`",
            hint="declare the name that follows from the wheel and the platform",
        )
    return output


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder `{text}`")
    return Path(text)


def _as_text(plan: RepairPlan) -> str:
    return json.dumps(plan.as_json(), indent=2) + "\n"
