# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line: reads two execution logs, compares them, prints."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from tools.wheel.archive.command import command

from .causes import compare
from .errors import DifferentFormatsError, NoActionsError, NoSuchActionError
from .log import Action, Log, Pool
from .reading import read_log
from .report import render_json, render_text

_NAME = "why"


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    parser = argparse.ArgumentParser(
        prog=_NAME,
        description="Why actions missed the cache: compares two execution logs of Bazel.",
        epilog="Exit code: 0 if nothing missed, 1 if something did, 2 for wrong usage, 3 to 7 for "
        "logs that cannot be used, 15 where the result cannot be written.",
    )
    parser.add_argument("log1", type=Path, metavar="LOG1", help="of a build that filled the cache")
    parser.add_argument("log2", type=Path, metavar="LOG2", help="of the build that missed")
    parser.add_argument("--json", action="store_true", help="print JSON, complete")
    parser.add_argument(
        "--all", action="store_true", help="every action and every difference, not the first ones"
    )
    parser.add_argument(
        "--mnemonic",
        action="append",
        metavar="PATTERN",
        help="only actions of this kind, such as CppCompile or 'Cpp*' (repeatable)",
    )
    parser.add_argument(
        "--target",
        action="append",
        metavar="PATTERN",
        help="only actions of this target, such as //csrc:_C or '//csrc/*' (repeatable)",
    )
    parser.add_argument(
        "--roots",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="count an action whose input another action changed to that one's cause (default)",
    )
    options = parser.parse_args(arguments)
    with suppress(OSError):
        if options.log1.samefile(options.log2):
            parser.error(f"LOG1 and LOG2 are one file, `{options.log2}`: name logs of two builds")
    return options


@command(_NAME)
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    options = parse_arguments(arguments)
    pool = Pool()
    first, second = read_log(options.log1, pool), read_log(options.log2, pool)
    check_comparable(first, second)
    wanted = _wanted(options.target, options.mnemonic)
    if not any(wanted(action) for log in (first, second) for action in log.actions):
        raise NoSuchActionError(
            "no action of the two logs is of the targets and mnemonics that are asked for",
            hint="patterns are of whole labels, such as //csrc:_C or '//csrc/*'; without --target "
            "and --mnemonic all actions are told",
        )
    comparison = compare(first, second, pool, roots=options.roots, wanted=wanted)
    text = (
        render_json(comparison) if options.json else render_text(comparison, everything=options.all)
    )
    print(text, end="")
    return 1 if comparison.missed else 0


def check_comparable(first: Log, second: Log) -> None:
    """Refuse logs without actions, and those in which the same action looks different.

    Raises:
        NoActionsError: one has none.
        DifferentFormatsError: one is compact and the other is not, or their digests are of
            different hash functions.
    """
    for log in (first, second):
        if not log.actions:
            raise NoActionsError(log.name)
    if first.expanded != second.expanded:
        compact, expanded = sorted((first, second), key=lambda log: log.expanded)
        raise DifferentFormatsError(
            f"`{compact.name}` is a compact log and `{expanded.name}` is not: they name runfiles "
            "differently",
            hint="write both with the same one of Bazel's --execution_log_*_file flags",
        )
    functions = first.hash_function, second.hash_function
    if all(functions) and functions[0] != functions[1]:
        raise DifferentFormatsError(
            f"`{first.name}` has digests of {functions[0]}, `{second.name}` of {functions[1]}: "
            "no key is the same",
            hint="run both builds with the same startup option --digest_function",
        )


def _wanted(
    targets: Sequence[str] | None, mnemonics: Sequence[str] | None
) -> Callable[[Action], bool]:
    def matches(value: str, patterns: Sequence[str] | None) -> bool:
        return patterns is None or any(fnmatchcase(value, pattern) for pattern in patterns)

    return lambda action: matches(action.target, targets) and matches(action.mnemonic, mnemonics)
