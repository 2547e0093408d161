# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over one source, with the arguments that it is compiled with.

usage: run_clang_tidy.py --verdict=FILE --config=FILE --clang-tidy=PROGRAM -- COMPILER_ARGUMENT...
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path


def plan(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The source and the flags to read it with, from a compiler's arguments."""
    source = ""
    flags: list[str] = []
    rest: Iterator[str] = iter(arguments)
    for argument in rest:
        if argument == "-c":
            source = next(rest)
        elif argument in ("-o", "-MF"):
            next(rest)
        elif argument != "-MD":
            flags.append(argument)
    return source, flags


def main() -> int:
    """Run clang-tidy; returns its exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--verdict", type=Path, required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    source, flags = plan(options.arguments)
    done = subprocess.run(
        [options.clang_tidy, "--quiet", f"--config-file={options.config}", source, "--", *flags],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        options.verdict.write_text("")
    else:
        # stderr counts what is suppressed in others' headers, which says nothing.
        report = (done.stdout or done.stderr).replace(f"{Path.cwd()}/", "")
        print(report, end="", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
