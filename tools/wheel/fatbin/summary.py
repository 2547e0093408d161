# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the GPU code of a file asks of machines, and the file `cuda.json` that says so in a wheel.

A wheel has no standard place for this. `<dist-info>/cuda.json` is for programs that choose between
wheels or explain why one does not run; its keys are those of `FileSummary.as_json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..elf.elf_file import ElfFile
from .driver import DriverVersion, machine_code_driver, ptx_driver, toolkit_major
from .image import DeviceCode, Kind

#: Name under `.dist-info`.
CUDA_JSON = "cuda.json"
#: Raised when a key changes its meaning or goes away.
SCHEMA_VERSION = 1

#: Libraries whose soname has the major of the toolkit; a copy in the wheel has a hash before it.
_VERSIONED = re.compile(
    r"lib(?:cudart|cublas|cublasLt|cupti|nvblas|nvJitLink|nvrtc)(?:-[0-9a-f]{8})?"
    r"\.so\.(?P<major>1[1-9])(?:\.\d+)*"
)
#: Libraries that count on their own and can be told apart all the same.
_MAJORS = {"libcufft.so.11": 12, "libcufft.so.12": 13, "libcusolver.so.12": 13}


@dataclass(frozen=True)
class FileSummary:
    """What the GPU code of one file is, and what it needs."""

    path: str
    #: Majors of the CUDA toolkit whose libraries it needs, or else that made its code.
    majors: tuple[int, ...]
    #: Names of its images, by GPU: sm_80, sm_90a.
    machine_code: tuple[str, ...]
    ptx: tuple[str, ...]
    #: Ways of compression among its images.
    compression: tuple[str, ...]
    #: Bytes of its images in the file, by name; unlinked code apart.
    sizes: Mapping[str, int]
    #: Bytes of code that is there to be linked at run time.
    relocatable_size: int
    #: Oldest driver that runs the machine code, or the PTX without any; None if that is unknown.
    driver: DriverVersion | None
    #: Oldest driver that compiles the PTX; None without PTX, or if that is unknown.
    ptx_driver: DriverVersion | None

    def as_json(self) -> dict[str, Any]:
        """The summary for programs."""
        return {
            "path": self.path,
            "cuda_majors": list(self.majors),
            "machine_code": list(self.machine_code),
            "ptx": list(self.ptx),
            "compression": list(self.compression),
            "sizes": dict(self.sizes),
            "relocatable_size": self.relocatable_size,
            "minimum_driver": str(self.driver) if self.driver else None,
            "minimum_driver_for_ptx": str(self.ptx_driver) if self.ptx_driver else None,
        }


def library_majors(elf: ElfFile) -> dict[str, int]:
    """The needed libraries that belong to one major of the CUDA toolkit, with that major."""
    return {library: major for library in elf.needed if (major := soname_major(library))}


def soname_major(library: str) -> int | None:
    """The major of the CUDA toolkit that a library belongs to; None where its name does not say."""
    match = _VERSIONED.fullmatch(library)
    return int(match["major"]) if match else _MAJORS.get(library)


def summarize(path: str, elf: ElfFile | None, code: DeviceCode) -> FileSummary:
    """Sum up the GPU code of one file."""
    majors = set(library_majors(elf).values()) if elf else set()
    made_by = toolkit_major(code.images)
    if not majors and made_by:
        majors = {made_by}
    sizes: dict[str, int] = {}
    for image in sorted(code.images, key=lambda image: (image.kind.value, image.arch)):
        if not image.relocatable:
            sizes[image.name] = sizes.get(image.name, 0) + image.size
    driver = machine_code_driver(code.images, max(majors)) if majors else None
    compiled = ptx_driver(code.images)
    machine_code = _names(code, Kind.MACHINE_CODE)
    if driver and compiled and not machine_code:
        driver = max(driver, compiled)
    return FileSummary(
        path=path,
        majors=tuple(sorted(majors)),
        machine_code=machine_code,
        ptx=_names(code, Kind.PTX),
        compression=tuple(sorted({image.compression for image in code.images})),
        sizes=sizes,
        relocatable_size=sum(image.size for image in code.images if image.relocatable),
        driver=driver,
        ptx_driver=compiled,
    )


def _names(code: DeviceCode, kind: Kind) -> tuple[str, ...]:
    images = {image.arch: image.name for image in code.images if image.kind is kind}
    return tuple(images[arch] for arch in sorted(images))


def summarize_all(
    elf_files: Mapping[str, ElfFile], device_code: Mapping[str, DeviceCode]
) -> tuple[FileSummary, ...]:
    """Sum up every file with GPU code, by path."""
    return tuple(
        summarize(path, elf_files.get(path), code) for path, code in sorted(device_code.items())
    )


def minimum_drivers(summaries: Iterable[FileSummary]) -> dict[int, DriverVersion]:
    """For each major of the toolkit the oldest driver that runs every file made for it."""
    drivers: dict[int, DriverVersion] = {}
    for summary in summaries:
        if summary.majors and summary.driver:
            major = max(summary.majors)
            drivers[major] = max(drivers.get(major, summary.driver), summary.driver)
    return dict(sorted(drivers.items()))


def render_cuda_json(summaries: Iterable[FileSummary]) -> str:
    """The text of `cuda.json`."""
    summaries = tuple(summaries)
    content = {
        "schema_version": SCHEMA_VERSION,
        "minimum_driver": {
            str(major): str(driver) for major, driver in minimum_drivers(summaries).items()
        },
        "files": [summary.as_json() for summary in summaries],
    }
    return json.dumps(content, indent=2) + "\n"
