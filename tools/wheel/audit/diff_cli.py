# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of `tilewright-audit diff`: parses, reads two wheels, prints what changed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from ..inspection.reading import read_wheel
from .checks import CHECKS
from .diff import Change, compare
from .errors import NewLibraryError
from .settings import check_settings
from .settings_file import read_settings


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    parser = argparse.ArgumentParser(
        prog="tilewright-audit diff",
        description="Compare the libraries that two wheels of a project reach.",
    )
    parser.add_argument("old", type=Path, metavar="OLD", help="wheel of an earlier build")
    parser.add_argument("new", type=Path, metavar="NEW", help="wheel of a later one")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="as for an audit")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Run the comparison; returns the exit code, 0.

    Raises:
        NewLibraryError: the new wheel reaches libraries that the old one did not.
        ToolError: a wheel or the settings cannot be read.
    """
    options = parse_arguments(arguments)
    settings = read_settings(options.settings, {check.id for check in CHECKS})
    check_settings(settings)
    old, new = read_wheel(options.old), read_wheel(options.new)
    changes = compare(old, new, settings)
    if options.json:
        content = {
            "old": str(old.name),
            "new": str(new.name),
            "changes": [asdict(change) for change in changes],
        }
        print(json.dumps(content, indent=2))
    else:
        lines = [*_lines(changes)] or ["  no difference in the libraries that are reached"]
        print("\n".join([f"{old.name} -> {new.name}", *lines]))
    added = [change.library for change in changes if change.is_new]
    if added:
        names = ", ".join(f"`{library}`" for library in added)
        raise NewLibraryError(
            f"`{new.name}` reaches what `{old.name}` did not, or from elsewhere: {names}",
            hint="follow the chains: a file left out, or linked no more, brings others to light",
        )
    return 0


def _lines(changes: Iterable[Change]) -> Iterable[str]:
    for change in changes:
        if not change.after:
            yield f"  gone     `{change.library}`, was {change.before}"
        elif not change.before:
            yield f"  new      `{change.library}`, {change.after}"
        else:
            yield f"  changed  `{change.library}`, {change.after}, was {change.before}"
        yield f"           chain: {' -> '.join(change.chain)}"
