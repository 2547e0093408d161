# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads ELF files that anyone may have made, in time and memory bounded by real files."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
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
from .elf_file import ElfFile, Section
from .errors import BadElfError
from .image import MAGIC, PROGRAM, SHARED_OBJECT, Image, open_image
from .notes import read_notes

ELF_MAGIC = MAGIC

#: Sections of device code, which no tool that edits ELF files may touch.
_DEVICE_CODE = (".nv_fatbin", "__nv_relfatbin", ".nvFatBinSegment")
_CHUNK = 1 << 20

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
        if image.kind not in (PROGRAM, SHARED_OBJECT) or image.machine in _DEVICES:
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
        architecture=image.architecture,
        soname=next(iter(dynamic.text(SONAME)), ""),
        needed=dynamic.text(NEEDED),
        rpath=_entries(dynamic.text(RPATH)),
        runpath=_entries(dynamic.text(RUNPATH)),
        versions=_by_library(needed.values(), weak=False),
        weak_versions=_by_library(needed.values(), weak=True),
        defined_versions=tuple(sorted(defined.values())),
        symbols=tuple(read_symbols(image, dynamic, needed, defined)),
        segments=image.segments,
        sections=tuple(_with_hashes(image)),
        executable=image.is_program,
        build_id=notes.build_id,
        isa=notes.isa,
        size=image.size,
    )


def _with_hashes(image: Image) -> Iterator[Section]:
    named = (section for section in image.sections if section.name in _DEVICE_CODE)
    code = frozenset(image.disjoint(named))
    for section in image.sections:
        if section not in code:
            yield section
            continue
        digest = hashlib.sha256()
        for chunk in image.chunks(section, _CHUNK):
            digest.update(chunk)
        yield replace(section, sha256=digest.hexdigest())


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
