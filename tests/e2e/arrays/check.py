# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the package's tests by plain pytest, with JAX and PyTorch on the CPU.

usage: python3 -m tests.e2e.arrays.check [--packages REQUIREMENT ...] [--wheel FILE] [--work DIR]

Installs the wheel for the Python that runs this into a clean virtual environment, with what the
tests import and the packages (`jax torch` unless named), and runs `pytest` there. Exit code 0 when
every test passes and none of those packages' was skipped. The PyTorch of PyPI brings CUDA, several
GB; `--packages jax torch==2.13.0+cpu` takes a smaller build from an index that pip was told of.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as ElementTree

from tests.e2e.wheels import REPOSITORY, build_wheel

TEST_PACKAGES = ["ml_dtypes", "numpy", "pytest"]

# The module that tests each package's arrays.
MODULES = {
    "jax": "tests.unit.arrays.test_jax_arrays",
    "torch": "tests.unit.arrays.test_torch_tensors",
}


def named(requirement: str) -> tuple[str, str]:
    """A requirement such as `torch==2.13.0+cpu` after the package that it names."""
    match = re.match(r"\w+", requirement)
    if match is None or match[0] not in MODULES:
        raise argparse.ArgumentTypeError(f"`{requirement}` is none of {', '.join(MODULES)}")
    return match[0], requirement


def untested(report: pathlib.Path, name: str) -> str | None:
    """Why the tests of a package do not count as run; None if they do."""
    cases = [
        case
        for case in ElementTree.parse(report).iter("testcase")
        if case.get("classname") == MODULES[name]
    ]
    skipped = sum(case.find("skipped") is not None for case in cases)
    if cases and not skipped:
        return None
    return f"{len(cases) - skipped} of {len(cases)} tests of {name} ran"


def check(wheel: pathlib.Path, packages: dict[str, str], work: pathlib.Path) -> int:
    venv.create(work / "venv", clear=True, with_pip=True)
    python = str(work / "venv" / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, str(wheel), *TEST_PACKAGES, *packages.values()], check=True)
    report = work / "report.xml"
    run = [python, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}"]
    if subprocess.run(run, cwd=REPOSITORY, check=False).returncode != 0:
        return 1
    complaints = [complaint for name in packages if (complaint := untested(report, name))]
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--packages",
        nargs="+",
        type=named,
        default=[named(name) for name in MODULES],
        metavar="REQUIREMENT",
        help="of `jax` or `torch`; default: both",
    )
    parser.add_argument("--wheel", type=pathlib.Path, help="default: built for this interpreter")
    parser.add_argument(
        "--work", type=pathlib.Path, help="folder to work in; default: a temporary one"
    )
    options = parser.parse_args()
    packages = dict(options.packages)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    wheel = (options.wheel or build_wheel(version)).resolve()
    if options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        return check(wheel, packages, options.work.resolve())
    with tempfile.TemporaryDirectory() as folder:
        return check(wheel, packages, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
