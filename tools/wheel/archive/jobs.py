# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How many threads compress: the default, and the option of every tool that writes wheels."""

from __future__ import annotations

import argparse
import os

#: Threads used when the caller does not say; few, since a build runs several actions at a time.
DEFAULT_JOBS = min(4, os.cpu_count() or 1)


def add_jobs_option(parser: argparse.ArgumentParser) -> None:
    """Give a parser `--jobs`; a number below 1 is a usage error."""
    parser.add_argument(
        "--jobs",
        type=_positive,
        default=DEFAULT_JOBS,
        help="threads that compress (default: %(default)s)",
    )


def _positive(text: str) -> int:
    if not (text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from 1 on")
    return int(text)
