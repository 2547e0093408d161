# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""tilewright.tvm beside the packages that bring a TVM of their own, from the package index.

usage: python3 -m tests.e2e.tvm_coexistence.check [--wheel FILE] [--only PACKAGE ...] [--work DIR]

Compiles modules with stock apache-tvm in one virtual environment; runs them through tilewright.tvm
in another that has only the wheel and NumPy; then, in one environment for each package, beside
apache-tvm-ffi, apache-tvm and tilelang, imported before and after, in one process and in a forked
child. Prints a table; exit code 0 when every cell is `works`. tilelang brings PyTorch and CUDA's
libraries: allow 7 GB of disk for it.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tests.e2e.wheels import build_wheel

HERE = pathlib.Path(__file__).resolve().parent

APACHE_TVM = ["apache-tvm==0.25.0.post1", "apache-tvm-ffi==0.1.12"]

# What is imported, and what is installed for it.
PACKAGES: dict[str, list[str]] = {
    "none": [],
    "tvm_ffi": ["apache-tvm-ffi==0.1.12"],
    "tvm": APACHE_TVM,
    "tilelang": ["tilelang==0.1.14", "apache-tvm-ffi==0.1.12"],
}
LABELS = {
    "none": "nothing else",
    "tvm_ffi": "apache-tvm-ffi 0.1.12",
    "tvm": "apache-tvm 0.25.0.post1",
    "tilelang": "tilelang 0.1.14",
}
TIMEOUT_S = 600
# So that parallel functions have a thread pool, also on two cores.
ENVIRONMENT = {"TVM_NUM_THREADS": "2"}


def make_environment(folder: pathlib.Path, packages: list[str]) -> pathlib.Path:
    """A virtual environment with `packages`; returns its interpreter."""
    python = folder / "bin" / "python"
    if not python.exists():
        print(f"making {folder.name}: {' '.join(packages)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def compile_modules(work: pathlib.Path) -> pathlib.Path:
    """Compiles the modules with stock apache-tvm; returns their folder."""
    modules = work / "modules"
    modules.mkdir(exist_ok=True)
    packages = [*APACHE_TVM, "numpy"]
    compiler = shutil.which("c++")
    if compiler is None:
        packages.append("ziglang==0.13.0")
    python = make_environment(work / "compiler", packages)
    if compiler is None:
        script = work / "c++"
        script.write_text(f'#!/bin/sh\nexec "{python}" -m ziglang c++ "$@"\n')
        script.chmod(0o755)
        compiler = str(script)
    subprocess.run([python, HERE / "compile_modules.py", modules, compiler], check=True)
    return modules


def probe(python: pathlib.Path, package: str, order: str, modules: pathlib.Path) -> tuple[str, str]:
    """Runs probe.py; returns what to say of the process and of its child."""
    variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    program = [str(python), "-I", str(HERE / "probe.py"), package, order, str(modules)]
    try:
        result = subprocess.run(
            ["env", *variables, *program],
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as expired:
        print(f"--- {package} {order}: no end after {TIMEOUT_S} s", file=sys.stderr)
        output = expired.stdout if isinstance(expired.stdout, bytes) else b""
        return ("works" if b"process ok" in output else "hangs"), "hangs"
    in_process = "works" if "process ok" in result.stdout else f"fails ({result.returncode})"
    in_child = "works" if "child ok" in result.stdout else f"fails ({result.returncode})"
    if result.returncode != 0:
        print(f"--- {package} {order}\n{result.stdout}{result.stderr}", file=sys.stderr)
        in_child = f"fails ({result.returncode})"
    return in_process, in_child


def check(wheel: pathlib.Path, names: list[str], work: pathlib.Path) -> int:
    """Runs every case, prints the table."""
    modules = compile_modules(work)
    rows = []
    for name in names:
        python = make_environment(work / f"with-{name}", [str(wheel), "numpy", *PACKAGES[name]])
        for order in ["before"] if name == "none" else ["before", "after"]:
            rows.append(
                (
                    LABELS[name],
                    "" if name == "none" else order,
                    *probe(python, name, order, modules),
                )
            )
            print(" | ".join(rows[-1]), file=sys.stderr)
    print("| beside | imported | in the process | in a forked child |\n|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return 0 if all(row[2:] == ("works", "works") for row in rows) else 1


def main() -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=pathlib.Path, help="default: built for this interpreter")
    parser.add_argument("--only", nargs="+", choices=PACKAGES, default=list(PACKAGES))
    parser.add_argument("--work", type=pathlib.Path, help="kept; default: a temporary folder")
    arguments = parser.parse_args()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    wheel = (arguments.wheel or build_wheel(version)).resolve()
    if arguments.work:
        arguments.work.mkdir(parents=True, exist_ok=True)
        return check(wheel, arguments.only, arguments.work.resolve())
    with tempfile.TemporaryDirectory(prefix="tvm-coexistence-") as work:
        return check(wheel, arguments.only, pathlib.Path(work))


if __name__ == "__main__":
    sys.exit(main())
