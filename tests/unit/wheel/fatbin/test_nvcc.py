# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The reader on what nvcc makes: the libraries of the package, built by CUDA 12.4 and 13.0."""

import os
from pathlib import Path

import pytest

from tools.wheel.elf.reader import read_elf
from tools.wheel.fatbin.driver import machine_code_driver, ptx_driver, toolkit_major
from tools.wheel.fatbin.image import DeviceCode, Kind
from tools.wheel.fatbin.reader import read_device_code


def read_library(major: int) -> DeviceCode:
    path = os.environ.get(f"LIBRARY_CUDA{major}")
    if path is None:
        pytest.skip("run it with `./tools/bazel test //tests/unit/wheel/fatbin:nvcc_test`")
    with Path(path).open("rb") as stream:
        elf = read_elf(stream, path)
        assert elf is not None
        return read_device_code(stream, elf.sections)


@pytest.mark.parametrize(
    ("major", "ptx", "compression", "driver"),
    [(12, (8, 4), "lz4", "550.54.14"), (13, (9, 0), "zstd", "580.65.06")],
)
def test_library_of_each_toolkit_is_read_in_full(
    major: int, ptx: tuple[int, int], compression: str, driver: str
) -> None:
    code = read_library(major)
    assert code.problems == ()
    assert code.names == {"sm_80", "sm_90a", "compute_90"}
    for group in code.groups:
        assert set(group.names()) == code.names
    assert toolkit_major(code.images) == major
    (version,) = {image.version for image in code.images if image.kind is Kind.PTX}
    assert version == ptx
    assert {image.compression for image in code.images if image.kind is Kind.PTX} == {compression}
    assert str(ptx_driver(code.images)) == driver
    assert str(machine_code_driver(code.images, major)) == {12: "525.60.13", 13: "580.65.06"}[major]
