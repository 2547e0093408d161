# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line: compares a wheel's files with a golden list, or prints the list."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..archive.command import command, write_text
from ..archive.reader import open_wheel
from .golden import contents, differences, parse_golden

#: Exit code when the two lists differ.
DIFFERENT = 1


@command("contents")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="contents", description="Compare the files of a wheel with a golden list."
    )
    parser.add_argument("wheel", type=Path)
    parser.add_argument("golden", type=Path, nargs="?", help="omit to print the list instead")
    parser.add_argument("--output", type=Path, help="write here instead of printing")
    parser.add_argument(
        "--exit-code-file", type=Path, help="for build actions: the exit code goes here, and ends 0"
    )
    options = parser.parse_args(arguments)
    with open_wheel(options.wheel) as wheel:
        found = contents(wheel.name, wheel.paths)
    if options.golden is None:
        code, text = 0, "".join(f"{line}\n" for line in found)
    else:
        code, text = _compare(options.wheel, options.golden, found)
    if options.output:
        write_text(options.output, text)
    else:
        print(text, end="")
    if options.exit_code_file:
        options.exit_code_file.write_text(f"{code}\n")
        return 0
    return code


def _compare(wheel: Path, golden: Path, found: list[str]) -> tuple[int, str]:
    changes = differences(parse_golden(golden.read_text(encoding="utf-8")), found)
    if not changes:
        return 0, f"{wheel.name}: {len(found)} files, as in {golden}\n"
    lines = [
        f"`{wheel.name}` holds other files than `{golden}` says:",
        *changes,
        f"hint: if this is meant, edit `{golden}`: take out the lines with -, put in those with +",
    ]
    return DIFFERENT, "\n".join(lines) + "\n"
