# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Each part of CUDA missing, damaged or failing: the documented exception, never a crash."""

from __future__ import annotations

import os
import shutil

import pytest

import tilewright
from tests.support.installation import NOTHING_RAISED
from tests.unit.loading.machine import LOAD, Machine, skip_if_present

MAJORS = [12, 13]


def test_cuda_error_no_driver(machine: Machine) -> None:
    skip_if_present("libcuda.so.1")
    kind, message = machine.error(LD_LIBRARY_PATH="")
    assert kind == "LibraryNotFoundError"
    assert "no NVIDIA driver: `libcuda.so.1` could not be opened; tried:" in message
    assert "/usr/lib/wsl/lib/libcuda.so.1: " in message
    assert "hint: install NVIDIA's driver" in message


def test_cuda_error_stub_driver(machine: Machine) -> None:
    machine.driver = None
    kind, message = machine.error()
    assert kind == "LibraryNotFoundError"
    assert "failed: error 34 (a stub library, not the driver)" in message


def test_cuda_error_driver_too_old(machine: Machine) -> None:
    machine.driver = 11040
    kind, message = machine.error()
    assert kind == "CudaError"
    assert "the NVIDIA driver supports CUDA 11.4, but tilewright needs CUDA 12.0" in message
    assert "hint: update the driver to 525 or newer" in message


def test_cuda_error_driver_too_old_for_the_forced_major(machine: Machine) -> None:
    machine.driver = 12080
    kind, message = machine.error(TILEWRIGHT_CUDA="13")
    assert kind == "CudaError"
    assert "supports CUDA 12.8, but `TILEWRIGHT_CUDA=13` needs CUDA 13.0" in message
    assert "hint: update the driver to 580 or newer, or unset the variable" in message


@pytest.mark.parametrize("value", ["11", "12.4", "cpu"])
def test_cuda_error_forced_major_is_unknown(machine: Machine, value: str) -> None:
    kind, message = machine.error(TILEWRIGHT_CUDA=value)
    assert kind == "InvalidArgumentError"
    assert f"`TILEWRIGHT_CUDA` is `{value}`, expected 12 or 13" in message


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_error_runtime_missing(machine: Machine, major: int) -> None:
    skip_if_present(f"libcudart.so.{major}")
    machine.runtime(major).unlink()
    kind, message = machine.error(TILEWRIGHT_CUDA=str(major))
    assert kind == "LibraryNotFoundError"
    assert f"the CUDA runtime, `libcudart.so.{major}`, could not be used" in message
    assert f"{machine.runtime(major)}: not found" in message
    assert f"hint: `pip install 'tilewright[cuda{major}]'`" in message


def test_cuda_error_both_runtimes_missing(machine: Machine) -> None:
    skip_if_present("libcudart.so.12", "libcudart.so.13")
    for major in MAJORS:
        machine.runtime(major).unlink()
    kind, message = machine.error()
    assert kind == "LibraryNotFoundError"
    assert all(f"{machine.runtime(major)}: not found" in message for major in MAJORS)
    assert "hint: `pip install 'tilewright[cuda13]'`" in message


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_error_runtime_damaged(machine: Machine, major: int) -> None:
    skip_if_present(f"libcudart.so.{major}")
    machine.runtime(major).write_bytes(b"not a library")
    kind, message = machine.error(TILEWRIGHT_CUDA=str(major))
    assert kind == "LibraryNotFoundError"
    assert f"{machine.runtime(major)}: file too short" in message


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_error_kernel_library_missing(machine: Machine, major: int) -> None:
    machine.kernels(major).unlink()
    kind, message = machine.error(TILEWRIGHT_CUDA=str(major))
    assert kind == "LibraryNotFoundError"
    assert f"tilewright's kernel library for CUDA {major} could not be used" in message
    assert f"{machine.kernels(major)}: not found" in message
    assert f"a usable `{machine.kernels(major).name}`, reinstall it: `pip install" in message


def test_cuda_error_both_kernel_libraries_missing(machine: Machine) -> None:
    for major in MAJORS:
        machine.kernels(major).unlink()
    kind, message = machine.error()
    assert kind == "LibraryNotFoundError"
    assert "kernel library for CUDA 13 or 12 could not be used" in message
    assert all(f"{machine.kernels(major)}: not found" in message for major in MAJORS)


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_error_kernel_library_damaged(machine: Machine, major: int) -> None:
    machine.kernels(major).write_bytes(b"not a library")
    kind, message = machine.error(TILEWRIGHT_CUDA=str(major))
    assert kind == "LibraryNotFoundError"
    assert f"tilewright's kernel library for CUDA {major} could not be used" in message
    assert f"{machine.kernels(major)}: file too short" in message
    assert f"a usable `{machine.kernels(major).name}`, reinstall it: `pip install" in message


def test_cuda_error_kernel_library_of_another_version(machine: Machine) -> None:
    shutil.copyfile(os.environ["OTHER_CUDA_KERNELS"], machine.kernels(13))
    kind, message = machine.error(TILEWRIGHT_CUDA="13")
    assert kind == "LibraryNotFoundError"
    assert (
        f"{machine.kernels(13)}: opened, but it belongs to another version of tilewrigh" in message
    )
    assert f"--no-deps tilewright=={tilewright.__version__}`" in message


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_error_raised_in_a_kernel_library_is_typed(machine: Machine, major: int) -> None:
    """The driver has no device, which CUDA's own runtime finds out when it is used."""
    code = f"{LOAD}; extension().cuda_synchronize(0, 0)"
    kind, message = machine.error(code, TILEWRIGHT_CUDA=str(major))
    assert kind == "CudaError"
    assert message.startswith("tw_cuda_synchronize: CUDA error ")
    assert "\nhint: " in message


def test_cuda_error_leaves_the_processor_working(machine: Machine) -> None:
    """And the next attempt may succeed, once what was missing is there."""
    skip_if_present("libcudart.so.12", "libcudart.so.13")
    runtime = machine.runtime(12)
    hidden = runtime.with_name("hidden")
    runtime.rename(hidden)
    machine.runtime(13).unlink()
    code = f"""
import numpy, pathlib
from tilewright._internal.extension import extension
try:
    extension().cuda_load()
except tilewright.errors.LibraryNotFoundError:
    ones = numpy.ones((2, 8), numpy.float32)
    assert abs(tilewright.rms_norm(ones, ones[0], eps=0.0) - 1).max() < 1e-6
    pathlib.Path({str(hidden)!r}).rename({str(runtime)!r})
    extension().cuda_load()
"""
    assert machine.error(code) == NOTHING_RAISED
