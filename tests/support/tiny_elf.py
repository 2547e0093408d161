# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Shared objects of a few hundred bytes, made from a description, so that no binary is kept in git.

They are real: the dynamic loader opens them, and patchelf edits them. They hold no code; a defined
symbol is an address in the file.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

_BASE_HEADERS = 64
_PROGRAM_HEADER = 56
_SECTION_HEADER = 64
_ALIGN = 8
_PAGE = 0x1000

_PT_LOAD, _PT_DYNAMIC, _PT_GNU_STACK = 1, 2, 0x6474E551
_SHT_PROGBITS, _SHT_STRTAB, _SHT_HASH, _SHT_DYNAMIC = 1, 3, 5, 6
_SHT_DYNSYM, _SHT_VERNEED, _SHT_VERSYM = 11, 0x6FFFFFFE, 0x6FFFFFFF
_DT = {
    "NEEDED": 1,
    "HASH": 4,
    "STRTAB": 5,
    "SYMTAB": 6,
    "STRSZ": 10,
    "SYMENT": 11,
    "SONAME": 14,
    "RPATH": 15,
    "RUNPATH": 29,
    "VERSYM": 0x6FFFFFF0,
    "VERNEED": 0x6FFFFFFE,
    "VERNEEDNUM": 0x6FFFFFFF,
}
_X86_64 = 62


@dataclass(frozen=True)
class TinyElf:
    """Description of a shared object."""

    soname: str = ""
    needed: tuple[str, ...] = ("libc.so.6",)
    rpath: str = ""
    runpath: str = ""
    #: Symbol versions needed, by library: {"libc.so.6": ("GLIBC_2.17",)}.
    versions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: Names of defined functions.
    defines: tuple[str, ...] = ()
    #: Bytes of a section that the loader maps but nobody uses.
    payload: bytes = b""
    machine: int = _X86_64

    def build(self) -> bytes:
        """The shared object."""
        return _Builder(self).build()


class _Strings:
    """A string table: offsets by text."""

    def __init__(self) -> None:
        self.data = b"\0"
        self._offsets: dict[str, int] = {"": 0}

    def add(self, text: str) -> int:
        if text not in self._offsets:
            self._offsets[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self._offsets[text]


@dataclass
class _Section:
    name: str
    kind: int
    data: bytes
    link: int = 0
    info: int = 0
    entry: int = 0
    offset: int = 0


class _Builder:
    def __init__(self, elf: TinyElf) -> None:
        self._elf = elf
        self._strings = _Strings()

    def build(self) -> bytes:
        elf = self._elf
        symbols = [bytes(24)]
        for name in elf.defines:
            # A global function in section 1.
            fields = (self._strings.add(name), (1 << 4) | 2, 0, 1, _BASE_HEADERS, 0)
            symbols.append(struct.pack("<LBBHQQ", *fields))
        verneed = self._verneed()
        entries = [("NEEDED", self._strings.add(library)) for library in elf.needed]
        for tag, text in (("SONAME", elf.soname), ("RPATH", elf.rpath), ("RUNPATH", elf.runpath)):
            if text:
                entries.append((tag, self._strings.add(text)))

        chain = [0] * len(symbols)
        for index in range(1, len(symbols) - 1):
            chain[index] = index + 1
        first = 1 if len(symbols) > 1 else 0
        table = [1, len(symbols), first, *chain]
        sections = [
            _Section(".dynsym", _SHT_DYNSYM, b"".join(symbols), link=3, info=1, entry=24),
            _Section(".hash", _SHT_HASH, struct.pack(f"<{len(table)}L", *table), link=1, entry=4),
            _Section(".dynstr", _SHT_STRTAB, self._strings.data),
        ]
        if verneed:
            count = len(elf.versions)
            sections += [
                _Section(".gnu.version", _SHT_VERSYM, b"\1\0" * len(symbols), link=1, entry=2),
                _Section(".gnu.version_r", _SHT_VERNEED, verneed, link=3, info=count),
            ]
        sections.append(_Section(".rodata", _SHT_PROGBITS, elf.payload or bytes(8)))
        return self._lay_out(sections, entries)

    def _verneed(self) -> bytes:
        out = b""
        libraries = list(self._elf.versions.items())
        index = 2
        for position, (library, versions) in enumerate(libraries):
            last = position == len(libraries) - 1
            step = 0 if last else 16 * (1 + len(versions))
            out += struct.pack("<HHLLL", 1, len(versions), self._strings.add(library), 16, step)
            for number, version in enumerate(versions):
                following = 0 if number == len(versions) - 1 else 16
                name = self._strings.add(version)
                out += struct.pack("<LHHLL", _sysv_hash(version), 0, index, name, following)
                index += 1
        return out

    def _lay_out(self, sections: list[_Section], entries: list[tuple[str, int]]) -> bytes:
        offset = _BASE_HEADERS + 3 * _PROGRAM_HEADER
        for section in sections:
            section.offset = offset = _aligned(offset)
            offset += len(section.data)
        dynamic_offset = _aligned(offset)
        place = {section.name: section.offset for section in sections}
        entries = [
            *entries,
            ("HASH", place[".hash"]),
            ("STRTAB", place[".dynstr"]),
            ("SYMTAB", place[".dynsym"]),
            ("STRSZ", len(self._strings.data)),
            ("SYMENT", 24),
        ]
        if ".gnu.version_r" in place:
            entries += [
                ("VERSYM", place[".gnu.version"]),
                ("VERNEED", place[".gnu.version_r"]),
                ("VERNEEDNUM", len(self._elf.versions)),
            ]
        dynamic = b"".join(struct.pack("<QQ", _DT[tag], value) for tag, value in entries)
        dynamic += bytes(16)
        end = dynamic_offset + len(dynamic)
        names = _Strings()
        sections = [
            *sections,
            _Section(".dynamic", _SHT_DYNAMIC, dynamic, link=3, entry=16, offset=dynamic_offset),
        ]
        for name in [*(section.name for section in sections), ".shstrtab"]:
            names.add(name)
        sections.append(_Section(".shstrtab", _SHT_STRTAB, names.data, offset=_aligned(end)))
        table = _aligned(sections[-1].offset + len(names.data))

        image = bytearray(table + _SECTION_HEADER * (len(sections) + 1))
        programs = (
            _program(_PT_LOAD, 6, 0, end, _PAGE)
            + _program(_PT_DYNAMIC, 6, dynamic_offset, len(dynamic), _ALIGN)
            + _program(_PT_GNU_STACK, 6, 0, 0, 16)
        )
        image[:_BASE_HEADERS] = self._header(table, len(sections) + 1)
        image[_BASE_HEADERS : _BASE_HEADERS + len(programs)] = programs
        for number, section in enumerate(sections, start=1):
            image[section.offset : section.offset + len(section.data)] = section.data
            start = table + number * _SECTION_HEADER
            image[start : start + _SECTION_HEADER] = _section(section, names.add(section.name))
        return bytes(image)

    def _header(self, section_table: int, section_count: int) -> bytes:
        identity = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
        sizes = (
            _BASE_HEADERS,
            _PROGRAM_HEADER,
            3,
            _SECTION_HEADER,
            section_count,
            section_count - 1,
        )
        places = (0, _BASE_HEADERS, section_table, 0)
        return identity + struct.pack("<HHLQQQL6H", 3, self._elf.machine, 1, *places, *sizes)


def _aligned(offset: int) -> int:
    return (offset + _ALIGN - 1) // _ALIGN * _ALIGN


def _program(kind: int, flags: int, offset: int, size: int, align: int) -> bytes:
    return struct.pack("<LLQQQQQQ", kind, flags, offset, offset, offset, size, size, align)


def _section(section: _Section, name: int) -> bytes:
    loaded = section.name != ".shstrtab"
    address = section.offset if loaded else 0
    flags = 2 if loaded else 0
    place = (flags, address, section.offset, len(section.data), section.link, section.info)
    return struct.pack("<LLQQQQLLQQ", name, section.kind, *place, _ALIGN, section.entry)


def _sysv_hash(name: str) -> int:
    value = 0
    for character in name.encode():
        value = (value << 4) + character
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high
    return value & 0xFFFFFFFF
