# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Installs the wheel with pip wherever a CPython is at hand and runs it there.

usage: python3 tests/e2e/install/check.py [--debian bookworm trixie] [--work DIR]

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

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
PROBE = pathlib.Path(__file__).with_name("probe.py")


def output(*command: str | pathlib.Path, cwd: pathlib.Path | None = None) -> str:
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def interpreters() -> dict[str, pathlib.Path]:
    """Returns the interpreters that wheels can be built for, by version."""
    listing = output(
        "./tools/bazel", "run", "//tools/toolchains/python:list", "--", "--json", cwd=REPOSITORY
    )
    return {
        row["version"]: pathlib.Path(row["interpreter"])
        for row in json.loads(listing)["interpreters"]
    }


def build_wheel(version: str, destination: pathlib.Path) -> pathlib.Path:
    """Builds the wheel for one Python and copies it out of Bazel's tree."""
    flag = f"--//tools/toolchains/python:version={version}"
    output("./tools/bazel", "build", flag, "//python:wheel", cwd=REPOSITORY)
    tag = "cp" + version.replace(".", "")
    (wheel,) = (REPOSITORY / "bazel-bin" / "python").glob(f"*-{tag}-{tag}-manylinux*.whl")
    return pathlib.Path(shutil.copy(wheel, destination))


def probe_in_venv(interpreter: pathlib.Path, wheel: pathlib.Path, work: pathlib.Path) -> bool:
    """Installs the wheel into a clean environment of `interpreter`, runs the probe from `/`."""
    venv = work / f"venv-{wheel.name.split('-')[2]}"
    subprocess.run([interpreter, "-m", "venv", venv], check=True)
    python = venv / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel, "numpy"], check=True)
    probe = shutil.copy(PROBE, work)
    return subprocess.run([python, "-I", probe], cwd="/", check=False).returncode == 0


def probe_in_debian(suite: str, wheels: dict[str, pathlib.Path], work: pathlib.Path) -> bool:
    """Runs the probe in a root file system of a Debian suite with the distribution's python3."""
    root = work / f"debian-{suite}"
    packages = "python3,python3-venv,python3-pip,ca-certificates"
    command = ["mmdebstrap", "--quiet", "--variant=apt", f"--include={packages}", suite, str(root)]
    subprocess.run(command, check=True)
    enter = [
        "bwrap",
        "--bind",
        str(root),
        "/",
        "--dev-bind",
        "/dev",
        "/dev",
        "--bind",
        "/proc",
        "/proc",
    ]
    enter += ["--tmpfs", "/tmp", "--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf"]
    enter += ["--ro-bind", "/etc/ssl/certs", "/etc/ssl/certs", "--chdir", "/"]
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    version = output(*enter, "/usr/bin/python3", "-c", code).strip()
    wheel = wheels.get(version)
    if wheel is None:
        print(
            f"{suite}: no wheel for its Python {version}, have {', '.join(wheels)}", file=sys.stderr
        )
        return False
    shutil.copy(wheel, root / "opt")
    shutil.copy(PROBE, root / "opt")
    subprocess.run([*enter, "/usr/bin/python3", "-m", "venv", "/opt/venv"], check=True)
    pip = ["/opt/venv/bin/python", "-m", "pip", "install", "--quiet", f"/opt/{wheel.name}", "numpy"]
    subprocess.run([*enter, *pip], check=True)
    return (
        subprocess.run(
            [*enter, "/opt/venv/bin/python", "-I", "/opt/probe.py"], check=False
        ).returncode
        == 0
    )


def check(work: pathlib.Path, suites: list[str]) -> int:
    results: dict[str, bool] = {}
    wheels: dict[str, pathlib.Path] = {}
    for version, interpreter in interpreters().items():
        wheels[version] = build_wheel(version, work)
        if not os.access(interpreter, os.X_OK):
            print(
                f"{version}: `{interpreter}` is inside the build's root file system, not run",
                file=sys.stderr,
            )
            continue
        results[f"python {version}"] = probe_in_venv(interpreter, wheels[version], work)
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
