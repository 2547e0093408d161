# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Copies wheels out of the build into a folder of the caller's."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Copy the wheels and print where they are; returns the exit code."""
    parser = argparse.ArgumentParser(prog="dist", description="Copy the built wheels to a folder.")
    parser.add_argument("folder", type=Path, help="folder to copy to; made if absent")
    # Given by the rule `wheel_dist`.
    parser.add_argument("--wheel", type=Path, action="append", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    # `bazel run` starts programs elsewhere and names the caller's folder here.
    folder = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "")) / options.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for wheel in options.wheel:
            target = folder / wheel.name
            # Built files are read-only; a copy from an earlier build must not stand in the way.
            target.unlink(missing_ok=True)
            shutil.copyfile(wheel, target)
            print(target)
    except OSError as error:
        print(f"dist: cannot copy to `{folder}`: {error}", file=sys.stderr)
        print("hint: name a folder that you can write to", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
