# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Installs wheels with pip into a clean virtual environment and runs Python there, from `/`.

usage: install --wheel FILE ... [--requirement NAME ...] [--import MODULE ...] [--script FILE ...]

Without --requirement nothing is fetched: what a wheel requires must be among the wheels. pip checks
the result (`pip check`), each module is imported in a process of its own, then each script runs.
Exit code 0 when all succeed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path


def commands(options: argparse.Namespace, python: Path) -> Iterator[list[str]]:
    """What is run, in order."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    wheels = [str(wheel.absolute()) for wheel in options.wheel]
    sources = [] if options.requirement else ["--no-index"]
    yield [*pip, "install", *sources, "--no-cache-dir", *wheels, *options.requirement]
    yield [*pip, "check"]
    for module in options.modules:
        yield [str(python), "-I", "-c", f"import {module}; print('imported', {module!r})"]
    for script in options.script:
        yield [str(python), "-I", str(script.absolute())]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run everything; returns the exit code of the first command that fails, else 0."""
    parser = argparse.ArgumentParser(prog="install", description="Install wheels.")
    parser.add_argument("--wheel", type=Path, action="append", required=True)
    parser.add_argument(
        "--requirement",
        action="append",
        default=[],
        help="install this, too; it and what is required come from the package index",
    )
    parser.add_argument("--import", dest="modules", action="append", default=[], metavar="MODULE")
    parser.add_argument("--script", type=Path, action="append", default=[])
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "venv"
        venv.create(environment, with_pip=False, symlinks=True)
        python = environment / "bin" / "python"
        for command in commands(options, python):
            # pip itself comes from this program's packages; the environment sees none of them.
            variables = dict(os.environ) if command[0] == sys.executable else {"PATH": os.defpath}
            code = subprocess.run(command, cwd="/", env=variables, check=False).returncode
            if code:
                print(f"failed with exit code {code}: {' '.join(command)}", file=sys.stderr)
                return code if code > 0 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
