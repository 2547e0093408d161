# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of the audit: parses, reads wheels and settings, runs the checks, prints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..archive.command import command, write_text
from ..inspection.reading import list_paths, read_wheel
from .auditing import Report, audit
from .check import Check
from .checks import CHECKS
from .diff_cli import main as diff
from .errors import SettingsError
from .report.json import render_json
from .report.sarif import render_sarif
from .report.text import render_text
from .settings import Settings, check_settings
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
        "--allow-grafted",
        action="append",
        metavar="PATTERN",
        help="soname pattern of libraries that may be copied into it, in the place of those that "
        "always may (repeatable)",
    )
    parser.add_argument("--max-size", type=int, metavar="BYTES", help="most bytes it may have")
    parser.add_argument(
        "--only", action="append", metavar="CHECK", help="run this check alone (repeatable)"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write here, not to stdout")
    parser.add_argument(
        "--exit-code-file",
        type=Path,
        metavar="FILE",
        help="for build actions: the exit code goes here, and the command ends with 0",
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


@command("tilewright-audit")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the audit; returns the exit code: the lowest of a finding that fails, 0 without one."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["diff"]:
        return diff(words[1:])
    options = parse_arguments(words)
    settings = _settings(options)
    checks = _checks(options.only)
    paths = {path.name: list_paths(path) for path in options.wheels}
    reports = []
    for path in options.wheels:
        if len(paths) > 1:
            print(f"reading {path.name}", file=sys.stderr)
        beside = {name: files for name, files in paths.items() if name != path.name}
        reports.append(audit(replace(read_wheel(path), beside=beside), checks, settings))
    text = _render(reports, options)
    if options.output:
        write_text(options.output, text)
    else:
        print(text, end="")
    codes = [report.exit_code(strict=options.strict) for report in reports]
    code = min(filter(None, codes), default=0)
    if options.exit_code_file:
        options.exit_code_file.write_text(f"{code}\n")
        return 0
    return code


def _render(reports: list[Report], options: argparse.Namespace) -> str:
    if options.json:
        return render_json(reports, strict=options.strict)
    if options.sarif:
        return render_sarif(reports)
    return render_text(reports, strict=options.strict)


def _checks(only: list[str] | None) -> tuple[Check, ...]:
    if only is None:
        return CHECKS
    unknown = sorted(set(only) - {check.id for check in CHECKS})
    if unknown:
        raise SettingsError(
            f"there is no check `{unknown[0]}`", hint="`--list-checks` names all checks"
        )
    return tuple(check for check in CHECKS if check.id in only)


def _settings(options: argparse.Namespace) -> Settings:
    settings = read_settings(options.settings, {check.id for check in CHECKS})
    flags: dict[str, Any] = {}
    if options.policy is not None:
        flags["policy"] = options.policy
    if options.cuda is not None:
        flags["cuda"] = _majors(options.cuda)
    if options.archs is not None:
        flags["archs"] = tuple(options.archs.split(","))
    if options.allow_grafted is not None:
        flags["allow_grafted"] = tuple(options.allow_grafted)
    if options.max_size is not None:
        flags["max_size"] = options.max_size
    settings = replace(settings, **flags)
    check_settings(settings)
    return settings


def _majors(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError as error:
        raise SettingsError(
            f"`--cuda {text}` is no list of CUDA majors", hint="write it like `--cuda 12,13`"
        ) from error
