# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads ELF files that anyone may have made: headers through pyelftools, symbol tables in bulk."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import IO

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.dynamic import DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerNeedSection
from elftools.elf.sections import NoteSection
from elftools.elf.sections import Section as RawSection

from .elf_file import Binding, ElfFile, Section, Segment, Symbol
from .errors import BadElfError

ELF_MAGIC = b"\x7fELF"

#: Architecture suffix of platform tags by ELF machine, class and byte order.
ARCHITECTURES = {
    ("EM_X86_64", 64, True): "x86_64",
    ("EM_AARCH64", 64, True): "aarch64",
    ("EM_386", 32, True): "i686",
    ("EM_PPC64", 64, True): "ppc64le",
    ("EM_RISCV", 64, True): "riscv64",
    ("EM_S390", 64, False): "s390x",
}

#: Sections of device code, which no tool that edits ELF files may touch.
DEVICE_CODE = (".nv_fatbin", "__nv_relfatbin", ".nvFatBinSegment")

_CHUNK = 1 << 20
_HIDDEN_VERSION = 0x8000


def read_elf(stream: IO[bytes], path: str) -> ElfFile | None:
    """Read one ELF file.

    Args:
        stream: the file, seekable.
        path: what to call it.

    Returns:
        None for a file that is never loaded: an object file or a core dump.

    Raises:
        BadElfError: the file is damaged.
    """
    try:
        elf = ELFFile(stream)
        if elf.header["e_type"] not in ("ET_DYN", "ET_EXEC"):
            return None
        return _read(elf, path)
    except (
        ELFError,
        ConstructError,
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        struct.error,
        TypeError,
        ValueError,
    ) as error:
        raise BadElfError(
            f"`{path}` is no readable ELF file: {type(error).__name__}: {error}",
            hint="build the file again",
        ) from error


def _read(elf: ELFFile, path: str) -> ElfFile:
    machine = str(elf.header["e_machine"])
    dynamic = _dynamic_strings(elf)
    segments = tuple(_segments(elf))
    return ElfFile(
        path=path,
        architecture=ARCHITECTURES.get((machine, elf.elfclass, elf.little_endian), machine),
        soname=next(iter(dynamic["DT_SONAME"]), ""),
        needed=tuple(dynamic["DT_NEEDED"]),
        rpath=_entries(dynamic["DT_RPATH"]),
        runpath=_entries(dynamic["DT_RUNPATH"]),
        versions=_needed_versions(elf),
        symbols=tuple(_symbols(elf)),
        segments=segments,
        sections=tuple(_sections(elf)),
        executable=any(segment.kind == "INTERP" for segment in segments)
        or elf.header["e_type"] == "ET_EXEC",
        build_id=_build_id(elf),
    )


def _dynamic_strings(elf: ELFFile) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {
        "DT_NEEDED": [],
        "DT_RPATH": [],
        "DT_RUNPATH": [],
        "DT_SONAME": [],
    }
    for segment in elf.iter_segments("PT_DYNAMIC"):
        if isinstance(segment, DynamicSegment):
            for tag in segment.iter_tags():
                values = tags.get(tag.entry.d_tag)
                if values is not None:
                    attribute = tag.entry.d_tag.removeprefix("DT_").lower()
                    values.append(str(getattr(tag, attribute)))
            break
    return tags


def _entries(values: list[str]) -> tuple[str, ...]:
    return tuple(entry for value in values for entry in value.split(":"))


def _segments(elf: ELFFile) -> Iterator[Segment]:
    for segment in elf.iter_segments():
        header = segment.header
        yield Segment(
            kind=str(header["p_type"]).removeprefix("PT_"),
            flags=header["p_flags"],
            offset=header["p_offset"],
            address=header["p_vaddr"],
            file_size=header["p_filesz"],
            memory_size=header["p_memsz"],
            alignment=header["p_align"],
        )


def _sections(elf: ELFFile) -> Iterator[Section]:
    for section in elf.iter_sections():
        header = section.header
        name = section.name
        yield Section(
            name=name,
            kind=str(header["sh_type"]).removeprefix("SHT_"),
            address=header["sh_addr"],
            offset=header["sh_offset"],
            size=header["sh_size"],
            sha256=_content_hash(elf, section) if name in DEVICE_CODE else "",
        )


def _content_hash(elf: ELFFile, section: RawSection) -> str:
    digest = hashlib.sha256()
    elf.stream.seek(section.header["sh_offset"])
    left = section.header["sh_size"]
    while left:
        chunk = elf.stream.read(min(left, _CHUNK))
        if not chunk:
            raise ValueError(f"section `{section.name}` ends after the file")
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest()


def _needed_versions(elf: ELFFile) -> tuple[tuple[str, tuple[str, ...]], ...]:
    versions: dict[str, set[str]] = {}
    for library, names in _version_needs(elf):
        versions.setdefault(library, set()).update(names.values())
    return tuple((library, tuple(sorted(names))) for library, names in sorted(versions.items()))


def _version_needs(elf: ELFFile) -> Iterator[tuple[str, dict[int, str]]]:
    """For every library the versions asked of it, by the index that symbols refer to."""
    for section in elf.iter_sections("SHT_GNU_verneed"):
        if isinstance(section, GNUVerNeedSection):
            for library, auxiliaries in section.iter_versions():
                yield (
                    str(library.name),
                    {aux.entry["vna_other"]: str(aux.name) for aux in auxiliaries},
                )


def _version_definitions(elf: ELFFile) -> dict[int, str]:
    versions = {}
    for section in elf.iter_sections("SHT_GNU_verdef"):
        if isinstance(section, GNUVerDefSection):
            for definition, auxiliaries in section.iter_versions():
                index = definition.entry["vd_ndx"]
                versions[index] = str(next(iter(auxiliaries)).name)
    return versions


def _symbols(elf: ELFFile) -> Iterator[Symbol]:
    """The dynamic symbols but for the null one. Big libraries have hundreds of thousands."""
    table = next(iter(elf.iter_sections("SHT_DYNSYM")), None)
    if table is None:
        return
    strings = elf.get_section(table.header["sh_link"]).data()
    order = "<" if elf.little_endian else ">"
    wide = elf.elfclass == 64
    entry = struct.Struct(order + ("LBBHQQ" if wide else "LLLBBH"))
    data = table.data()
    count = len(data) // entry.size

    needs = {
        index: (library, version)
        for library, versions in _version_needs(elf)
        for index, version in versions.items()
    }
    definitions = _version_definitions(elf)
    version_section = next(iter(elf.iter_sections("SHT_GNU_versym")), None)
    indices: tuple[int, ...] = (0,) * count
    if version_section is not None:
        version_data = version_section.data()
        indices = struct.unpack_from(f"{order}{len(version_data) // 2}H", version_data)

    bindings = {binding.value: binding for binding in Binding}
    fields = entry.iter_unpack(data[: count * entry.size])
    for number, (values, version_index) in enumerate(zip(fields, indices)):
        if number == 0:
            continue
        info, section = (values[1], values[3]) if wide else (values[3], values[5])
        name = strings[values[0] : strings.index(b"\0", values[0])].decode()
        index = version_index & ~_HIDDEN_VERSION
        library, version = needs.get(index, ("", definitions.get(index, "") if index > 1 else ""))
        yield Symbol(
            name=name,
            version=version,
            library=library,
            binding=bindings.get(info >> 4, Binding.GLOBAL),
            defined=section != 0,
        )


def _build_id(elf: ELFFile) -> str:
    for section in elf.iter_sections("SHT_NOTE"):
        if isinstance(section, NoteSection) and section.name == ".note.gnu.build-id":
            for note in section.iter_notes():
                if note["n_type"] == "NT_GNU_BUILD_ID":
                    return str(note["n_desc"])
    return ""
