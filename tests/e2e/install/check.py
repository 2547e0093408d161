# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Installs the wheel with pip wherever a CPython is at hand and runs it there.

usage: python3 -m tests.e2e.install.check [--debian bookworm trixie] [--work DIR]

For every interpreter that `bazel run //tools/toolchains/python:list` names, builds its wheel,
installs it into a clean virtual environment and runs probe.py from `/`. With --debian, does the
same with the distribution's own python3 in a root file system of that Debian, made by mmdebstrap
and entered with bubblewrap. Exit code 0 when every probe passes.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from tests.e2e.wheels import REPOSITORY, build_wheel

PROBE = pathlib.Path(__file__).with_name("probe.py")


def output(*command: str | pathlib.Path, cwd: pathlib.Path | None = None) -> str:
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def interpreters() -> dict[str, pathlib.Path]:
    """Returns the interpreters that wheels can be built for, by version."""
    target = "//tools/toolchains/python:list"
    listing = json.loads(output("./tools/bazel", "run", target, "--", "--json", cwd=REPOSITORY))
    return {version: pathlib.Path(facts["path"]) for version, facts in listing["found"].items()}


def probe(enter: Sequence[str], interpreter: str, venv: str, wheel: str, script: str) -> bool:
    """Installs the wheel into a clean environment of `interpreter` and runs the probe from `/`.

    Args:
        enter: the command that enters the root file system in which the paths mean something.
        interpreter, venv, wheel, script: paths there.
    """
    python = f"{venv}/bin/python"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in ([interpreter, "-m", "venv", venv], [*install, wheel, "numpy"]):
        subprocess.run([*enter, *command], check=True)
    return subprocess.run([*enter, python, "-I", script], cwd="/", check=False).returncode == 0


def probe_on_machine(interpreter: pathlib.Path, wheel: pathlib.Path, work: pathlib.Path) -> bool:
    venv = work / f"venv-{wheel.name.split('-')[2]}"
    return probe([], str(interpreter), str(venv), str(wheel), str(PROBE))


def probe_in_debian(suite: str, wheels: dict[str, pathlib.Path], work: pathlib.Path) -> bool:
    """Probes with the distribution's own python3 in a root file system of a Debian suite."""
    root = work / f"debian-{suite}"
    include = "--include=python3,python3-venv,ca-certificates"
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=apt", include, suite, str(root)], check=True
    )
    mounts = [("--bind", root, "/"), ("--dev-bind", "/dev", "/dev"), ("--bind", "/proc", "/proc")]
    mounts += [("--ro-bind", path, path) for path in ("/etc/resolv.conf", "/etc/ssl/certs")]
    enter = ["bwrap", *(str(word) for mount in mounts for word in mount), "--tmpfs", "/tmp"]
    version_code = "import sys; print('%d.%d' % sys.version_info[:2])"
    version = output(*enter, "/usr/bin/python3", "-c", version_code).strip()
    wheel = wheels.get(version)
    if wheel is None:
        have = ", ".join(wheels)
        print(f"{suite}: no wheel for its Python {version}, have {have}", file=sys.stderr)
        return False
    for file in (wheel, PROBE):
        shutil.copy(file, root / "opt")
    return probe(enter, "/usr/bin/python3", "/opt/venv", f"/opt/{wheel.name}", "/opt/probe.py")


def check(work: pathlib.Path, suites: list[str]) -> int:
    results: dict[str, bool] = {}
    wheels: dict[str, pathlib.Path] = {}
    for version, interpreter in interpreters().items():
        wheels[version] = pathlib.Path(shutil.copy(build_wheel(version), work))
        if not os.access(interpreter, os.X_OK):
            where = f"`{interpreter}` is only in the build's root file system"
            print(f"{version}: {where}, not run here", file=sys.stderr)
            continue
        results[f"python {version}"] = probe_on_machine(interpreter, wheels[version], work)
    for suite in suites:
        results[f"debian {suite}"] = probe_in_debian(suite, wheels, work)
    for name, passed in results.items():
        print(f"{'passed' if passed else 'FAILED'}  {name}")
    return 0 if results and all(results.values()) else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--debian", nargs="*", default=[], metavar="SUITE", help="also in these Debian suites"
    )
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        return check(options.work.resolve(), options.debian)
    with tempfile.TemporaryDirectory() as folder:
        return check(pathlib.Path(folder), options.debian)


if __name__ == "__main__":
    sys.exit(main())
