# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The report for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilewright.doctor.report import Cuda, Facts, Report, Tvm

__all__ = ["render"]

_WIDTH = 25  # of the column of names


def render(report: Report) -> str:
    """The report, a fact a line, problems and their fixes last."""
    return "\n".join([*_facts(report.facts), *_problems(report)]) + "\n"


def _facts(facts: Facts) -> Iterator[str]:
    versions = facts.versions
    yield f"tilewright {versions.tilewright}"
    yield _line("python", f"{versions.python}, {versions.executable}")
    yield _line("platform", versions.platform)
    yield _line("C library", versions.glibc or "not glibc")
    yield ""
    yield "packages"
    for name, version in versions.packages.items():
        if version is not None:
            yield _line(name, version)
    missing = [name for name, version in versions.packages.items() if version is None]
    if missing:
        yield _line("not installed", ", ".join(missing))
    if facts.files:
        yield ""
        yield "libraries"
    for file in facts.files:
        wrong = "differs from RECORD" if file.matches_record is False else file.problem
        yield _line(file.name, file.path + (f": {wrong}" if wrong else ""))
    if facts.cpu is not None:
        yield ""
        yield "CPU"
        yield _line("instruction set", facts.cpu["isa"])
        yield _line("threads", facts.cpu["threads"] or "unknown")
    if facts.cuda is not None:
        yield ""
        yield "CUDA"
        yield from _cuda(facts.cuda)
    if facts.tvm is not None:
        yield ""
        yield "TVM"
        yield from _tvm(facts.tvm)


def _cuda(cuda: Cuda) -> Iterator[str]:
    driver = cuda.report["driver"]
    if driver["error"] is None:
        yield _line("driver", f"supports CUDA {_cuda_version(driver['version'])}, {driver['path']}")
    else:
        yield _line("driver", f"none: {driver['error']}")
    for device in cuda.devices:
        major, minor = device["compute_capability"]
        memory = device["total_memory_bytes"] / 2**30
        yield _line(
            f"GPU {device['index']}",
            f"{device['name']}, compute capability {major}.{minor}, {memory:.1f} GiB",
        )
    if not cuda.devices:
        yield _line("GPU", f"none: {cuda.devices_error or 'the driver lists no device'}")
    chosen = cuda.report["chosen"]
    if chosen is not None:
        yield _line("chosen", f"CUDA {chosen}: {cuda.report['reason']}")
        version = _cuda_version(cuda.report["runtime_version"])
        yield _line("CUDA runtime", f"{version}, {cuda.report['runtime_path']}")
    else:
        yield _line("chosen", "none")
    for candidate in cuda.report["candidates"]:
        yield from _candidate(candidate)


def _candidate(candidate: dict[str, Any]) -> Iterator[str]:
    name = f"CUDA {candidate['major']}"
    library = candidate["kernel_library"]
    yield _line(f"{name} kernels", library["path"] + ("" if library["exists"] else ": missing"))
    needed = _cuda_version(candidate["min_driver"])
    met = "met" if candidate["driver_ok"] else "not met"
    yield _line(f"{name} needs", f"a driver that supports CUDA {needed} or newer: {met}")
    for tried in candidate["tried"] if candidate["driver_ok"] else ():
        yield _line(f"{name} tried", f"{tried['path']}: {tried['result']}")


def _tvm(tvm: Tvm) -> Iterator[str]:
    if tvm.load_error is None:
        yield _line("runtime", f"{tvm.report['version']}, {tvm.report['path']}")
        return
    yield _line("runtime", "cannot be loaded")
    for tried in tvm.report["tried"]:
        yield _line("tried", f"{tried['path']}: {tried['result']}")


def _problems(report: Report) -> Iterator[str]:
    yield ""
    if not report.problems:
        yield "no problems found"
        return
    yield f"problems: {len(report.problems)}"
    for number, problem in enumerate(report.problems, start=1):
        first, *others = problem.what.splitlines()
        yield f"  {number}. {first}"
        yield from (f"     {line}" for line in others)
        yield f"     fix: {problem.fix}"


def _line(name: str, value: object) -> str:
    return f"  {name:<{_WIDTH}} {value}"


def _cuda_version(version: int | None) -> str:
    """CUDA writes 13.0 as 13000."""
    return "unknown" if version is None else f"{version // 1000}.{version % 1000 // 10}"
