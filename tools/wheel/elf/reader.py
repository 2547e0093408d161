# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads ELF files that anyone may have made, in time and memory bounded by real files."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import IO

from .dynamic import (
    NEEDED,
    RPATH,
    RUNPATH,
    SONAME,
    Version,
    read_defined_versions,
    read_dynamic,
    read_needed_versions,
    read_symbols,
)
from .elf_file import ElfFile
from .errors import BadElfError
from .image import MAGIC, Image, open_image
from .notes import read_notes

ELF_MAGIC = MAGIC

_PROGRAM, _SHARED_OBJECT = 2, 3

#: Architecture suffix of platform tags by ELF machine, width and byte order.
ARCHITECTURES = {
    (62, True, "<"): "x86_64",
    (183, True, "<"): "aarch64",
    (3, False, "<"): "i686",
    (40, False, "<"): "armv7l",
    (21, True, "<"): "ppc64le",
    (243, True, "<"): "riscv64",
    (22, True, ">"): "s390x",
    (258, True, "<"): "loongarch64",
}

#: Machines whose code another loader than the system's takes: CUDA and AMD GPUs, Intel GPUs, BPF.
_DEVICES = (190, 205, 224, 247)


def read_elf(stream: IO[bytes], path: str) -> ElfFile | None:
    """Read one ELF file.

    Args:
        stream: the file, seekable.
        path: what to call it.

    Returns:
        None for a file that the dynamic loader never sees: an object file, a core dump, or code for
        a GPU.

    Raises:
        BadElfError: the file is damaged.
    """
    try:
        image = open_image(stream)
        if image.kind not in (_PROGRAM, _SHARED_OBJECT) or image.machine in _DEVICES:
            return None
        return _read(image, path)
    except (ValueError, struct.error) as error:
        raise BadElfError(
            f"`{path}` is no readable ELF file: {error}", hint="build the file again"
        ) from error


def _read(image: Image, path: str) -> ElfFile:
    dynamic = read_dynamic(image)
    needed = read_needed_versions(image, dynamic)
    defined = read_defined_versions(image, dynamic)
    notes = read_notes(image)
    return ElfFile(
        path=path,
        architecture=ARCHITECTURES.get(
            (image.machine, image.wide, image.order), f"ELF machine {image.machine}"
        ),
        soname=next(iter(dynamic.text(SONAME)), ""),
        needed=dynamic.text(NEEDED),
        rpath=_entries(dynamic.text(RPATH)),
        runpath=_entries(dynamic.text(RUNPATH)),
        versions=_by_library(needed.values(), weak=False),
        weak_versions=_by_library(needed.values(), weak=True),
        defined_versions=tuple(sorted(defined.values())),
        symbols=tuple(read_symbols(image, dynamic, needed, defined)),
        segments=image.segments,
        sections=image.sections,
        executable=image.kind == _PROGRAM or image.segment("INTERP") is not None,
        build_id=notes.build_id,
        isa=notes.isa,
        size=image.size,
    )


def _entries(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(entry for value in values for entry in value.split(":"))


def _by_library(
    versions: Iterable[Version], *, weak: bool
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    names: dict[str, set[str]] = {}
    for version in versions:
        if version.weak == weak:
            names.setdefault(version.library, set()).add(version.name)
    return tuple((library, tuple(sorted(found))) for library, found in sorted(names.items()))
