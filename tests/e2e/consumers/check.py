# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds the workspaces of other projects, and installs and runs their wheels.

usage: python3 -m tests.e2e.consumers.check [hermetic] [torch_extension] [--work DIR]

For every workspace beside this file, or those named: runs its tests with this repository's
launcher, builds its wheel, installs it with pip into a clean virtual environment, and runs the
workspace's probe.py there from `/`. torch_extension is built with the machine's gcc, too; that
wheel runs where Bazel does, which may be the only place with a libstdc++ as new as that gcc's.
Exit code 0 when everything passes.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from tests.e2e.wheels import REPOSITORY

CONSUMERS = pathlib.Path(__file__).parent

#: What the machine's gcc links may need anything that this one has.
NEWEST_PLATFORM = "manylinux_2_41_x86_64"


def output(command: Sequence[str], cwd: pathlib.Path) -> str:
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


@dataclass(frozen=True)
class Consumer:
    """A workspace of another project.

    Attributes:
        name: its folder beside this file.
        package: its Python package, and the Bazel package of the wheel.
        installs: what pip installs before each run of the probe, in turn; `{}` is the wheel.
    """

    name: str
    package: str
    installs: tuple[tuple[str, ...], ...]

    @property
    def probe(self) -> str:
        return str(self.workspace / "probe.py")

    @property
    def workspace(self) -> pathlib.Path:
        return CONSUMERS / self.name

    def bazel(self, command: str, *arguments: str) -> str:
        line = [str(REPOSITORY / "tools/bazel"), command, *arguments]
        return output(line, cwd=self.workspace)


HERMETIC = Consumer("hermetic", "example_cuda", (("{}",), ("{}[cuda13]",)))
TORCH = "torch==2.13.0+cpu"
TORCH_EXTENSION = Consumer("torch_extension", "example_torch", (("{}", TORCH, "numpy"),))
ALL = {consumer.name: consumer for consumer in (HERMETIC, TORCH_EXTENSION)}


def build(
    consumer: Consumer, target: str, work: pathlib.Path, flags: Sequence[str]
) -> pathlib.Path:
    """Builds a wheel; returns a copy."""
    label = f"//{consumer.package}:{target}"
    consumer.bazel("build", *flags, label)
    (path,) = consumer.bazel("cquery", *flags, "--output=files", label).split()
    return pathlib.Path(shutil.copy(consumer.workspace / path, work))


def interpreter(consumer: Consumer, wheel: pathlib.Path, flags: Sequence[str]) -> str:
    """Returns the interpreter that the build found for the wheel's tag."""
    target = "@tilewright//tools/toolchains/python:list"
    found: dict[str, dict[str, str]] = json.loads(
        consumer.bazel("run", *flags, target, "--", "--json")
    )["found"]
    return next(
        facts["path"]
        for version, facts in found.items()
        if "cp" + version.replace(".", "") in wheel.name.split("-")
    )


def run(consumer: Consumer, wheel: pathlib.Path, python: str, work: pathlib.Path) -> bool:
    """Installs the wheel into a clean environment and runs the probe from `/`."""
    venv = work / f"venv-{consumer.name}"
    installed = str(venv / "bin/python")
    subprocess.run([python, "-m", "venv", "--clear", str(venv)], check=True)
    for requirements in consumer.installs:
        words = [word.format(wheel) for word in requirements]
        install = [installed, "-m", "pip", "install", "--quiet", *words]
        subprocess.run(install, cwd="/", check=True)
        if subprocess.run([installed, "-I", consumer.probe], cwd="/", check=False).returncode != 0:
            return False
    return True


def run_with_host_toolchain(work: pathlib.Path, flags: Sequence[str]) -> bool:
    """Builds the extension with the machine's gcc and runs it where Bazel runs."""
    flags = [*flags, "--config=host_toolchain"]
    wheel = build(TORCH_EXTENSION, "unrepaired_wheel", work, flags)
    repair = [
        f"--plat={NEWEST_PLATFORM}",
        "--exclude-family=torch",
        f"--wheel-dir={work}",
        str(wheel),
    ]
    repaired = TORCH_EXTENSION.bazel(
        "run", *flags, "@tilewright//tools/wheel:repair", "--", *repair
    )
    install = [f"--wheel={repaired.strip()}", f"--requirement={TORCH}", "--requirement=numpy"]
    install.append(f"--script={TORCH_EXTENSION.probe}")
    try:
        print(
            TORCH_EXTENSION.bazel("run", *flags, "@tilewright//tools/wheel:install", "--", *install)
        )
    except subprocess.CalledProcessError as error:
        print(error.stdout, file=sys.stderr)
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "consumers", nargs="*", metavar="CONSUMER", help=f"of {', '.join(ALL)}; default: all"
    )
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    parser.add_argument(
        "--bazel-flag", action="append", default=[], metavar="FLAG", help="flag of Bazel's commands"
    )
    options = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        work = (options.work or pathlib.Path(folder)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        for name in options.consumers or ALL:
            consumer = ALL[name]
            consumer.bazel("test", *options.bazel_flag, "//...")
            wheel = build(consumer, "wheel", work, options.bazel_flag)
            python = interpreter(consumer, wheel, options.bazel_flag)
            results[name] = run(consumer, wheel, python, work)
            if consumer is TORCH_EXTENSION:
                passed = run_with_host_toolchain(work, options.bazel_flag)
                results[f"{name} with the machine's gcc"] = passed
    for name, passed in results.items():
        print(f"{'passed' if passed else 'FAILED'}  {name}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
