# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Toolkits and drivers, from what fat binaries of known releases hold."""

import pytest

from tools.wheel.fatbin.arch import GpuArch
from tools.wheel.fatbin.driver import (
    machine_code_driver,
    parse_driver,
    ptx_driver,
    ptx_release,
    toolkit_major,
)
from tools.wheel.fatbin.image import DeviceImage, Kind


def ptx(*version: int) -> DeviceImage:
    return DeviceImage(Kind.PTX, GpuArch(90), (version[0], version[1]), 1, 1, "none", 0)


def cubin(
    arch: int = 80, version: tuple[int, int] = (1, 7), compression: str = "none"
) -> DeviceImage:
    return DeviceImage(Kind.MACHINE_CODE, GpuArch(arch), version, 1, 1, compression, 0)


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ((7, 0), (11, 0)),
        ((7, 8), (11, 8)),
        ((8, 0), (12, 0)),
        ((8, 5), (12, 5)),
        ((8, 6), (12, 7)),
        ((8, 7), (12, 8)),
        ((8, 8), (12, 9)),
        ((9, 0), (13, 0)),
        ((9, 2), (13, 2)),
        ((6, 5), None),
        ((10, 0), None),
    ],
)
def test_ptx_version_tells_the_release(
    version: tuple[int, int], release: tuple[int, int] | None
) -> None:
    assert ptx_release(ptx(*version)) == release


@pytest.mark.parametrize(
    ("images", "major"),
    [
        ([cubin(), ptx(8, 4)], 12),
        ([cubin(), ptx(7, 8)], 11),
        ([cubin(version=(1, 8))], 13),
        ([cubin(), cubin(version=(1, 8))], 13),
        ([cubin(100, (1, 8)), ptx(8, 7)], 12),
        ([cubin(100, (1, 8))], None),
        ([cubin()], None),
        ([], None),
    ],
)
def test_toolkit_major_is_told_by_ptx_or_container(
    images: list[DeviceImage], major: int | None
) -> None:
    assert toolkit_major(images) == major


@pytest.mark.parametrize(
    ("compression", "major", "driver"),
    [
        ("none", 11, "450.80.02"),
        ("none", 12, "525.60.13"),
        ("lz4", 12, "525.60.13"),
        ("zstd", 12, "550.54.14"),
        ("zstd", 13, "580.65.06"),
        ("none", 14, "None"),
    ],
)
def test_driver_is_the_newer_of_toolkit_and_compression(
    compression: str, major: int, driver: str
) -> None:
    assert str(machine_code_driver([cubin(compression=compression)], major)) == driver


def test_driver_does_not_follow_code_that_older_drivers_never_load() -> None:
    new = cubin(120, (1, 8), "zstd")
    assert str(machine_code_driver([cubin(), new], 12)) == "525.60.13"
    assert str(machine_code_driver([new], 12)) == "570.26"
    assert str(machine_code_driver([new], 13)) == "580.65.06"


def test_driver_of_ptx_is_that_of_its_release() -> None:
    assert str(ptx_driver([ptx(8, 4), ptx(8, 7), cubin()])) == "570.26"
    assert ptx_driver([cubin()]) is None
    assert ptx_driver([ptx(9, 9)]) is None


def test_driver_versions_are_compared_by_number() -> None:
    old, new = parse_driver("525.60"), parse_driver("525.60.13")
    assert old is not None
    assert new is not None
    assert old < new < (parse_driver("1000") or new)
    assert parse_driver("r525") is parse_driver("") is None
