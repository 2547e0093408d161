# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel where actions see declared inputs and a written-down list, and nothing else.

usage: python3 -m tests.e2e.hermetic.check [--work DIR] [--plain] [TARGET ...]

The list is tools/platforms/machine_files.txt: what a machine of `--config=rbe` must have. Bazel's
hermetic sandbox mounts these files into an empty root beside the inputs of each action. With
--plain the wheel is also built in the usual sandbox, and both must have the same sha256. Exit code
0 when all is built.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from tests.e2e import machines
from tests.e2e.wheels import REPOSITORY

LIST = REPOSITORY / "tools" / "platforms" / "machine_files.txt"


def mounts(text: str, python: str) -> list[str]:
    """The paths in the list.

    Args:
        text: the list's text.
        python: what `{python}` stands for, such as "3.14".
    """
    lines = (line.strip() for line in text.splitlines())
    return [line.format(python=python) for line in lines if line and not line.startswith("#")]


def root_python(machine: machines.Machine) -> str:
    """The minor version of the Python that Bazel's actions run on."""
    cache = pathlib.Path(machine.environment["XDG_CACHE_HOME"]) / "tilewright" / "rootfs"
    manifests = sorted(cache.glob("*/etc/tilewright-root-manifest"))
    texts = [path.read_text() for path in manifests]
    text = next(text for text in texts if "bazel-bootstrap=" in text)
    match = re.search(r"^python3=(\d+\.\d+)", text, re.MULTILINE)
    assert match is not None, manifests
    return match.group(1)


def check(work: pathlib.Path, targets: list[str], *, plain: bool) -> int:
    machine = machines.make("hermetic", work)
    machine.bazel("build", "--nobuild", *targets)
    found = mounts(LIST.read_text(), root_python(machine))
    flags = [f"--sandbox_add_mount_pair={path}" for path in found]
    strategy = ["--spawn_strategy=linux-sandbox", "--experimental_use_hermetic_linux_sandbox"]
    machine.bazel("build", "--verbose_failures", *strategy, *flags, *targets)
    print(f"built with {len(found)} paths of the machine: {' '.join(targets)}")
    same = True
    if plain:
        digest = machines.sha256(machine.wheel())
        machine.bazel("clean")
        machine.bazel("build", *targets)
        same = digest == machines.sha256(machine.wheel())
        print(f"same sha256 as in the usual sandbox: {same}")
    machine.remove_output()
    return 0 if same else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", default=[machines.WHEEL])
    parser.add_argument("--plain", action="store_true", help="compare with the usual sandbox")
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        try:
            return check(pathlib.Path(folder).resolve(), options.targets, plain=options.plain)
        except subprocess.CalledProcessError as error:
            print(f"failed: {' '.join(error.cmd[-3:])}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
