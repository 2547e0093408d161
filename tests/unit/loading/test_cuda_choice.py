# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which CUDA major is chosen, and why."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.unit.loading.machine import Machine, skip_if_present


@pytest.mark.parametrize(("driver", "major"), [(12040, 12), (13000, 13), (13020, 13), (14000, 13)])
def test_cuda_choice_is_the_newest_that_the_driver_supports(
    machine: Machine, driver: int, major: int
) -> None:
    machine.driver = driver
    report = machine.report()
    assert report["chosen"] == major
    assert report["runtime_version"] // 1000 == major
    assert os.path.realpath(report["runtime_path"]) == str(machine.runtime(major).resolve())
    text = f"{driver // 1000}.{driver % 1000 // 10}"
    assert report["reason"] == (
        f"the newest major that the driver (CUDA {text}) supports and whose runtime was found"
    )


@pytest.mark.parametrize("major", [12, 13])
def test_cuda_choice_can_be_forced(machine: Machine, major: int) -> None:
    report = machine.report(TILEWRIGHT_CUDA=str(major))
    assert report["chosen"] == major
    assert report["reason"] == f"`TILEWRIGHT_CUDA={major}`"


@pytest.mark.parametrize("major", [12, 13])
def test_cuda_choice_is_the_runtime_that_the_process_holds(machine: Machine, major: int) -> None:
    report = machine.report(f"import ctypes; ctypes.CDLL({str(machine.runtime(major))!r})")
    assert report["chosen"] == major
    assert report["reason"] == "the process already holds this CUDA runtime"


@pytest.mark.parametrize("major", [12, 13])
def test_cuda_choice_is_a_renamed_runtime_that_the_process_holds(
    machine: Machine, major: int
) -> None:
    """As wheels bring it that carry libraries of their own."""
    path = machine.runtime(major).with_name(f"libcudart-1a2b3c4d.so.{major}")
    shutil.copyfile(machine.runtime(major), path)
    report = machine.report(f"import ctypes; ctypes.CDLL({str(path)!r})")
    assert report["loaded_runtimes"][0] == {"major": major, "path": str(path)}
    assert report["chosen"] == major
    assert report["reason"] == "the process already holds this CUDA runtime"


@pytest.mark.parametrize("major", [12, 13])
def test_cuda_choice_says_for_which_gpus_it_is(machine: Machine, major: int) -> None:
    assert machine.report(TILEWRIGHT_CUDA=str(major))["min_compute_capability"] == [8, 0]


def test_cuda_choice_looks_at_each_place_once(machine: Machine) -> None:
    """The folder of packages is known from the library's own place and from `sys.path`."""
    skip_if_present("libcudart.so.13")
    folder = machine.runtime(13).parent
    machine.runtime(13).unlink()
    (candidate,) = (item for item in machine.report()["candidates"] if item["major"] == 13)
    tried = [attempt["path"] for attempt in candidate["tried"]]
    assert tried[0] == f"{folder}/libcudart.so.13"
    assert len(tried) == len({os.path.normpath(path) for path in tried})
    assert not any("cuda_runtime" in path for path in tried)


def test_cuda_choice_falls_back_where_a_runtime_is_missing(machine: Machine) -> None:
    skip_if_present("libcudart.so.13")
    machine.runtime(13).unlink()
    assert machine.report()["chosen"] == 12


def test_cuda_choice_falls_back_where_a_kernel_library_is_missing(machine: Machine) -> None:
    machine.kernels(13).unlink()
    assert machine.report()["chosen"] == 12


def test_cuda_choice_falls_back_where_a_kernel_library_is_of_another_version(
    machine: Machine,
) -> None:
    shutil.copyfile(os.environ["OTHER_CUDA_KERNELS"], machine.kernels(13))
    assert machine.report()["chosen"] == 12


@pytest.mark.parametrize("damaged", ["kernels", "runtime"])
def test_cuda_choice_falls_back_where_a_library_is_damaged(machine: Machine, damaged: str) -> None:
    path = machine.kernels(13) if damaged == "kernels" else machine.runtime(13)
    path.write_bytes(b"not a library")
    if damaged == "runtime":
        skip_if_present("libcudart.so.13")
    assert machine.report()["chosen"] == 12
