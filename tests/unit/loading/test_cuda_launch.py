# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How kernels are launched, and what failures leave behind, with a stand-in for CUDA's runtime."""

from __future__ import annotations

import os
import pathlib

import pytest

from tests.support.installation import NOTHING_RAISED
from tests.unit.loading.machine import Machine

MAJORS = [12, 13]

# `set` and `get` are the stand-in's variables; the operators return a status. Nothing reads the
# memory of the tensors.
HARNESS = """
import ctypes, os
from tests.support.dlpack_structs import DLTensor
from tilewright._internal.extension import HOST_LIBRARY, extension

os.environ["TILEWRIGHT_CUDA"] = "{major}"  # the machine may have another one
extension().cuda_load()
cudart = ctypes.CDLL({runtime!r})
host = ctypes.CDLL(HOST_LIBRARY)

def set(name, value):
    ctypes.c_int.in_dll(cudart, "fake_" + name).value = value

def get(name):
    return ctypes.c_int.in_dll(cudart, "fake_" + name).value

def tensor(address, *shape):
    result = DLTensor(address, (2, 0), len(shape), (2, 32, 1))
    result.shape = (ctypes.c_int64 * len(shape))(*shape)
    return ctypes.byref(result)

def rms_norm():
    weight, eps = tensor(0x200000, 64), ctypes.c_double(0)
    return host.tw_rms_norm(tensor(0x100000, 2, 64), weight, eps, tensor(0x300000, 2, 64), None)

def add_rms_norm():
    weight, eps = tensor(0x200000, 64), ctypes.c_double(0)
    return host.tw_add_rms_norm(tensor(0x100000, 2, 64), tensor(0x300000, 2, 64), weight, eps, None)

def silu_and_mul():
    return host.tw_silu_and_mul(tensor(0x100000, 2, 64), tensor(0x300000, 2, 32), None)

def synchronize(device=0):
    return host.tw_cuda_synchronize(device, None)
"""


@pytest.fixture(params=MAJORS)
def harness(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> tuple[Machine, str]:
    """A machine with the stand-in for one CUDA major, and the beginning of code to run there."""
    major = request.param
    machine = Machine(
        tmp_path,
        driver=pathlib.Path(os.environ["FAKE_CUDA_DRIVER"]),
        runtimes={major: pathlib.Path(os.environ[f"FAKE_CUDA{major}_RUNTIME"])},
    )
    return machine, HARNESS.format(major=major, runtime=str(machine.runtime(major)))


@pytest.mark.parametrize(
    ("code", "driver", "overlap"),
    [(90, 12030, True), (100, 13000, True), (80, 13000, False), (90, 12020, False)],
    ids=["9.0", "10.0", "8.0, compiled anew for a newer GPU", "driver without graphs of these"],
)
def test_cuda_launch_overlaps_only_where_the_loaded_code_waits(
    harness: tuple[Machine, str], code: int, driver: int, overlap: bool
) -> None:
    machine, preamble = harness
    script = f"""{preamble}
set("code_version", {code})
set("driver_version", {driver})
for operator in (rms_norm, add_rms_norm, silu_and_mul):
    assert operator() == 0
assert get("launches") == 3
assert get("overlapping_launches") == {3 if overlap else 0}
"""
    assert machine.error(script) == NOTHING_RAISED


def test_cuda_launch_asks_about_a_kernel_once(harness: tuple[Machine, str]) -> None:
    machine, preamble = harness
    script = f"""{preamble}
for _ in range(3):
    assert rms_norm() == 0
assert (get("launches"), get("code_queries")) == (3, 1)
"""
    assert machine.error(script) == NOTHING_RAISED


@pytest.mark.parametrize("call", ["rms_norm", "add_rms_norm", "silu_and_mul", "synchronize"])
def test_cuda_launch_failure_leaves_no_error_for_others(
    harness: tuple[Machine, str], call: str
) -> None:
    machine, preamble = harness
    script = f"""{preamble}
set("launch_result", 719)
assert {call}() == 9
assert cudart.cudaGetLastError() == 0
set("launch_result", 0)
assert {call}() == 0
"""
    assert machine.error(script) == NOTHING_RAISED


def test_cuda_launch_on_a_device_that_is_not_there_leaves_no_error_for_others(
    harness: tuple[Machine, str],
) -> None:
    machine, preamble = harness
    script = f"{preamble}\nassert synchronize(99) == 9\nassert cudart.cudaGetLastError() == 0"
    assert machine.error(script) == NOTHING_RAISED
