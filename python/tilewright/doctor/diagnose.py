# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Judges the facts: a problem is something that should work here and does not.

A machine without a driver or without a GPU is in good health: CPU operators are all that it can do.
"""

from __future__ import annotations

from tilewright._internal.extension import REINSTALL
from tilewright.doctor.report import Cuda, Facts, File, Problem, Versions

__all__ = ["diagnose"]

_NO_DEVICE = "error 100 "  # CUDA_ERROR_NO_DEVICE: a driver without a GPU, or one that is hidden
_HINT = "\nhint: "


def diagnose(facts: Facts) -> list[Problem]:
    """The problems, the most fundamental first."""
    problems = _version_problems(facts.versions)
    if facts.extension_error is not None:
        problems.append(_from_message(facts.extension_error))
    problems += [
        _file_problem(file, file.problem)
        for file in facts.files
        if file.problem is not None and file.name not in (facts.extension_error or "")
    ]
    problems += [
        _file_problem(file, "is not the file that was installed, its sha256 differs from RECORD's")
        for file in facts.files
        if file.matches_record is False
    ]
    if facts.cpu is not None and facts.cpu["error"] is not None:
        problems.append(_from_message(facts.cpu["error"]))
    if facts.cuda is not None:
        problems += _cuda_problems(facts.cuda)
    wrong = {
        file.name
        for file in facts.files
        if file.problem is not None or file.matches_record is False
    }
    if (
        facts.tvm is not None
        and facts.tvm.load_error is not None
        and "libtilewright_tvm.so" not in wrong
    ):
        problems.append(_from_message(facts.tvm.load_error))
    return problems


def _version_problems(versions: Versions) -> list[Problem]:
    if versions.metadata in (None, versions.tilewright):
        return []
    return [
        Problem(
            what=f"files of two versions are mixed: the package is {versions.tilewright}, "
            f"its metadata says {versions.metadata}",
            fix=f"reinstall: {REINSTALL}",
        )
    ]


def _file_problem(file: File, what: str) -> Problem:
    return Problem(what=f"`{file.name}` {what}: {file.path}", fix=f"reinstall: {REINSTALL}")


def _cuda_problems(cuda: Cuda) -> list[Problem]:
    problems = []
    has_driver = cuda.report["driver"]["error"] is None
    if has_driver and cuda.devices_error is not None and _NO_DEVICE not in cuda.devices_error:
        problems.append(
            Problem(
                what=f"the NVIDIA driver is present and does not work: {cuda.devices_error}",
                fix="run `nvidia-smi`; a driver that was just updated needs a reboot",
            )
        )
    # Without a GPU the kernel library is wanted only by somebody who asks for one by name.
    wanted = bool(cuda.devices) or cuda.report["override"] is not None
    if wanted and cuda.load_error is not None:
        problems.append(_from_message(cuda.load_error))
    oldest = cuda.report["min_compute_capability"]
    capabilities = [device["compute_capability"] for device in cuda.devices]
    if capabilities and oldest is not None and max(capabilities) < oldest:
        problems.append(
            Problem(
                what=f"no GPU here has compute capability {oldest[0]}.{oldest[1]}, the least that "
                "tilewright has kernels for",
                fix="use tensors on the CPU, or a newer GPU",
            )
        )
    return problems


def _from_message(message: str) -> Problem:
    what, _, fix = message.partition(_HINT)
    return Problem(what=what, fix=fix or f"reinstall: {REINSTALL}")
