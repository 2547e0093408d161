# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of the audit: parses, reads wheels and settings, runs the checks, prints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..archive.errors import ToolError
from ..inspection.reading import read_wheel
from .auditing import Report, audit
from .checks import CHECKS
from .errors import SettingsError
from .report.json import render_json
from .report.sarif import render_sarif
from .report.text import render_text
from .settings import Settings
from .settings_file import read_settings


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    parser = argparse.ArgumentParser(
        prog="tilewright-audit",
        description="Audit wheels: libraries, platform, CUDA content, archive, metadata.",
        epilog="`tilewright-audit diff OLD.whl NEW.whl` compares two wheels.",
    )
    parser.add_argument("wheels", nargs="+", type=Path, metavar="WHEEL")
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--json", action="store_true", help="print JSON")
    style.add_argument("--sarif", action="store_true", help="print SARIF 2.1.0")
    parser.add_argument("--strict", action="store_true", help="warnings fail, too")
    parser.add_argument("--policy", help="platform to hold the wheel to, such as manylinux_2_27")
    parser.add_argument("--cuda", metavar="MAJORS", help="CUDA majors it must serve, such as 12,13")
    parser.add_argument(
        "--archs", metavar="ARCHS", help="GPU code it must have, such as sm_80,sm_90a,compute_90"
    )
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="pyproject.toml with [tool.tilewright-audit] (default: that of the current folder)",
    )
    parser.add_argument(
        "--list-checks", action=_ListChecks, nargs=0, help="print every check and stop"
    )
    return parser.parse_args(arguments)


class _ListChecks(argparse.Action):
    """Prints the catalogue, as `--help` prints the usage."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        for check in CHECKS:
            print(f"{check.exit_code:>3} {check.severity.value:<8} {check.id}: {check.title}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the audit; returns the exit code: that of the first finding that fails, worst first."""
    options = parse_arguments(arguments)
    try:
        settings = _settings(options)
        reports = [_audit(path, settings, progress=len(options.wheels) > 1) for path in options.wheels]
    except ToolError as error:
        print(f"tilewright-audit: {error}", file=sys.stderr)
        return error.exit_code
    if options.json:
        print(render_json(reports, strict=options.strict), end="")
    elif options.sarif:
        print(render_sarif(reports), end="")
    else:
        print(render_text(reports, strict=options.strict), end="")
    codes = [report.exit_code(strict=options.strict) for report in reports]
    return next((code for code in codes if code), 0)


def _audit(path: Path, settings: Settings, *, progress: bool) -> Report:
    if progress:
        print(f"reading {path.name}", file=sys.stderr)
    return audit(read_wheel(path), CHECKS, settings)


def _settings(options: argparse.Namespace) -> Settings:
    settings = read_settings(options.settings, {check.id for check in CHECKS})
    flags: dict[str, object] = {}
    if options.policy:
        flags["policy"] = options.policy
    if options.cuda is not None:
        flags["cuda"] = _majors(options.cuda)
    if options.archs:
        flags["archs"] = tuple(options.archs.split(","))
    return replace(settings, **flags)


def _majors(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError as error:
        raise SettingsError(
            f"`--cuda {text}` is no list of CUDA majors", hint="write it like `--cuda 12,13`"
        ) from error
