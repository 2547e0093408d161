# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which toolkit made GPU code, and which NVIDIA driver it needs.

Numbers are those of the CUDA release notes for Linux, tables "CUDA Toolkit and Minimum Required
Driver Version for CUDA Minor Version Compatibility" and "CUDA Toolkit and Corresponding Driver
Versions", and of nvcc's documentation of `--compress-mode`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .image import DeviceImage, Kind

#: Oldest driver that runs machine code of any release of a major.
_MAJOR_DRIVERS = {11: "450.80.02", 12: "525.60.13", 13: "580.65.06"}
#: Oldest driver that unpacks zstd; the one of CUDA 12.4.
_ZSTD_DRIVER = "550.54.14"
#: Driver of each release: its compiler is the oldest that knows the PTX of that release.
_RELEASE_DRIVERS = {
    (11, 0): "450.51.05",
    (11, 1): "455.23",
    (11, 2): "460.27.03",
    (11, 3): "465.19.01",
    (11, 4): "470.42.01",
    (11, 5): "495.29.05",
    (11, 6): "510.39.01",
    (11, 7): "515.43.04",
    (11, 8): "520.61.05",
    (12, 0): "525.60.13",
    (12, 1): "530.30.02",
    (12, 2): "535.54.03",
    (12, 3): "545.23.06",
    (12, 4): "550.54.14",
    (12, 5): "555.42.02",
    (12, 6): "560.28.03",
    (12, 8): "570.26",
    (12, 9): "575.51.03",
    (13, 0): "580.65.06",
    (13, 1): "590.44.01",
}
#: Version of PTX in the first release of a major; the others count on from there.
_FIRST_PTX = {11: (7, 0), 12: (8, 0), 13: (9, 0)}
#: But for these: 8.5 came with 12.5 and stayed in 12.6.
_PTX_RELEASES = {(8, 6): (12, 7), (8, 7): (12, 8), (8, 8): (12, 9)}

#: The GPUs that CUDA 12.8 brought, Blackwell and later, and the oldest driver for them.
_NEW_GPUS, _NEW_GPUS_DRIVER = 100, "570.26"
#: Version of the machine code's container from CUDA 13 on; before, only for the new GPUs.
_NEW_CONTAINER = (1, 8)


@dataclass(frozen=True, order=True)
class DriverVersion:
    """A version of the NVIDIA driver for Linux."""

    numbers: tuple[int, ...]
    text: str

    def __str__(self) -> str:
        return self.text


def parse_driver(text: str) -> DriverVersion | None:
    """The version in `550.54.14`; None for anything else."""
    if not re.fullmatch(r"\d+(\.\d+){0,2}", text):
        return None
    return DriverVersion(tuple(int(part) for part in text.split(".")), text)


def _driver(text: str) -> DriverVersion:
    return DriverVersion(tuple(int(part) for part in text.split(".")), text)


def ptx_release(image: DeviceImage) -> tuple[int, int] | None:
    """The CUDA release that brought the version of a PTX image; None for other images."""
    if image.kind is not Kind.PTX:
        return None
    if image.version in _PTX_RELEASES:
        return _PTX_RELEASES[image.version]
    for major, (ptx_major, ptx_minor) in _FIRST_PTX.items():
        if image.version[0] == ptx_major:
            return major, image.version[1] - ptx_minor
    return None


def toolkit_major(images: Iterable[DeviceImage]) -> int | None:
    """The major of the toolkit that made GPU code, as far as the code tells.

    Machine code for GPUs before `_NEW_GPUS` tells CUDA 13 from what was before it, PTX tells
    everything. Code of several toolkits, brought in by static libraries, counts as the newest's.
    """
    majors = set()
    for image in images:
        release = ptx_release(image)
        if release:
            majors.add(release[0])
        old_gpu = image.kind is Kind.MACHINE_CODE and image.arch.number < _NEW_GPUS
        if old_gpu and image.version >= _NEW_CONTAINER:
            majors.add(13)
    return max(majors, default=None)


def machine_code_driver(images: Iterable[DeviceImage], major: int) -> DriverVersion | None:
    """Oldest driver that runs machine code made by a toolkit of this major.

    Returns:
        None if the major is unknown here.
    """
    if major not in _MAJOR_DRIVERS:
        return None
    machine_code = [image for image in images if image.kind is Kind.MACHINE_CODE]
    loaded = [image for image in machine_code if not image.relocatable] or machine_code
    # No older driver loads code for the new GPUs, so how that is compressed does not matter.
    old = [image for image in loaded if image.arch.number < _NEW_GPUS]
    first = _driver(_MAJOR_DRIVERS[major])
    if loaded and not old:
        return max(first, _driver(_NEW_GPUS_DRIVER))
    return _with_compression(first, old)


def ptx_driver(images: Iterable[DeviceImage]) -> DriverVersion | None:
    """Oldest driver that can compile all the PTX: minor version compatibility does not hold for it.

    Returns:
        None if there is none, or its release is unknown here.
    """
    ptx = [image for image in images if image.kind is Kind.PTX]
    releases = [ptx_release(image) for image in ptx]
    drivers = [_RELEASE_DRIVERS[release] for release in releases if release in _RELEASE_DRIVERS]
    if len(drivers) < len(releases) or not drivers:
        return None
    return _with_compression(max(map(_driver, drivers)), ptx)


def _with_compression(driver: DriverVersion, images: Iterable[DeviceImage]) -> DriverVersion:
    zstd = any(image.compression == "zstd" for image in images)
    return max(driver, _driver(_ZSTD_DRIVER)) if zstd else driver
