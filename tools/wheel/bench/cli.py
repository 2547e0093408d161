# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Command line of the benchmark: makes the wheels, repairs them in turns, prints the table."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .measure import Cost, measure
from .report import Result, render_plot, render_table

_CHUNK = 1 << 20
_PLATFORM = "manylinux_2_27_x86_64"
_REPAIR = "import sys; from tools.wheel.repair.cli import main; sys.exit(main())"


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line; usage errors exit with code 2."""
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Repair the same wheels with auditwheel and //tools/wheel:repair, in turns.",
    )
    parser.add_argument("--size", type=int, default=1024, help="MiB of ELF files (%(default)s)")
    parser.add_argument("--files", type=int, default=40, help="how many (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (%(default)s)")
    parser.add_argument("--cores", type=int, default=2, help="processors to use (%(default)s)")
    parser.add_argument(
        "--patchelf",
        default=os.environ.get("PATCHELF", "patchelf"),
        help="the one that auditwheel runs (%(default)s)",
    )
    parser.add_argument("--plot", type=Path, help="also write the plot to this SVG file")
    parser.add_argument("--folder", type=Path, help="where to work (default: the temporary folder)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    options = parse_arguments(arguments)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="bench-") as folder:
        results = _run(options, Path(folder))
    print(render_table(results), end="")
    if options.plot:
        # `bazel run` starts elsewhere.
        where = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
        (where / options.plot).write_text(render_plot(results), encoding="utf-8")
    return 0


def _run(options: argparse.Namespace, folder: Path) -> list[Result]:
    programs = folder / "bin"
    programs.mkdir()
    patchelf = shutil.which(options.patchelf)
    if patchelf is None:
        raise SystemExit(
            f"bench: there is no `{options.patchelf}`\nhint: name it with `--patchelf`"
        )
    (programs / "patchelf").symlink_to(Path(patchelf).absolute())
    environment = {"PATH": str(programs), "PYTHONPATH": os.pathsep.join(sys.path)}
    results = []
    for edited in (options.files, 1):
        name = f"{edited} of {options.files} files edited"
        print(f"making the wheel: {name}", file=sys.stderr)
        workload = folder / str(edited)
        _make(workload, options, edited, environment)
        results += _compare(name, workload, options, environment)
        shutil.rmtree(workload)
    return results


def _make(
    workload: Path, options: argparse.Namespace, edited: int, environment: dict[str, str]
) -> None:
    size = options.size << 20
    numbers = [f"--size={size}", f"--files={options.files}", f"--edited={edited}"]
    module = "tools.wheel.bench.workload"
    command = [sys.executable, "-m", module, str(workload), *numbers]
    subprocess.run(command, env=environment, check=True)


def _compare(
    name: str, workload: Path, options: argparse.Namespace, environment: dict[str, str]
) -> list[Result]:
    (wheel,) = workload.glob("*.whl")
    tools = {
        "auditwheel repair": ["-m", "auditwheel", "repair", "--ldpaths"],
        "tilewright-repair": [
            "-c",
            _REPAIR,
            f"--jobs={options.cores}",
            "--allow-grafted=*",
            "--library-folder",
        ],
    }
    costs: dict[str, list[Cost]] = {tool: [] for tool in tools}
    sizes: dict[str, int] = {}
    digests: dict[str, set[str]] = {tool: set() for tool in tools}
    for number in range(options.rounds):
        for tool, program in tools.items():
            output = workload / "output"
            output.mkdir()
            _read(wheel)
            command = [sys.executable, *program, str(workload / "libraries")]
            command += ["--plat", _PLATFORM, "-w", str(output), str(wheel)]
            cost = measure(command, environment)
            print(f"{name}: {tool}, run {number + 1}: {cost.seconds:.1f} s", file=sys.stderr)
            (repaired,) = output.glob("*.whl")
            costs[tool].append(cost)
            sizes[tool] = repaired.stat().st_size
            digests[tool].add(_read(repaired))
            shutil.rmtree(output)
    return [
        Result(name, tool, tuple(costs[tool]), sizes[tool], len(digests[tool]) == 1)
        for tool in tools
    ]


def _read(path: Path) -> str:
    """The sha256 of a file, which is in the machine's memory afterwards."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
