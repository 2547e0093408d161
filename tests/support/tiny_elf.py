# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Shared objects of a few hundred bytes, made from a description, so that no binary is kept in git.

They are real: the dynamic loader opens them, and tools edit them. They hold no code; a defined
symbol is an address in the file.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

_BASE_HEADERS = 64
_PROGRAM_HEADER = 56
_SECTION_HEADER = 64
_ALIGN = 8
_PAGE = 0x1000

_PT_LOAD, _PT_DYNAMIC, _PT_INTERP, _PT_NOTE, _PT_GNU_STACK = 1, 2, 3, 4, 0x6474E551
_SHT_PROGBITS, _SHT_STRTAB, _SHT_HASH, _SHT_DYNAMIC, _SHT_NOTE = 1, 3, 5, 6, 7
_SHT_DYNSYM, _SHT_VERDEF, _SHT_VERNEED, _SHT_VERSYM = 11, 0x6FFFFFFD, 0x6FFFFFFE, 0x6FFFFFFF
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
    "VERDEF": 0x6FFFFFFC,
    "VERDEFNUM": 0x6FFFFFFD,
    "VERNEED": 0x6FFFFFFE,
    "VERNEEDNUM": 0x6FFFFFFF,
}
_X86_64 = 62
_GLOBAL, _WEAK, _FUNCTION = 1, 2, 2
_X86_ISA_NEEDED = 0xC0008002

#: Sections that have a segment of their own: its kind and alignment.
_POINTED_TO = {
    ".interp": (_PT_INTERP, 1),
    ".note.gnu.property": (_PT_NOTE, 8),
    ".note.gnu.build-id": (_PT_NOTE, 4),
}


@dataclass(frozen=True)
class TinyElf:
    """Description of a shared object."""

    soname: str = ""
    needed: tuple[str, ...] = ("libc.so.6",)
    rpath: str = ""
    runpath: str = ""
    #: Symbol versions needed, by library: {"libc.so.6": ("GLIBC_2.17",)}.
    versions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Those of `versions` that the loader does without.
    weak_versions: tuple[str, ...] = ()
    #: Functions that it defines, each with a version behind `@` if it has one.
    defines: tuple[str, ...] = ()
    #: Functions that it needs, each with one of `versions` behind `@` if it asks for one.
    imports: tuple[str, ...] = ()
    #: Functions that it does without if no library has them.
    weak_imports: tuple[str, ...] = ()
    #: Bytes of a section that the loader maps but nobody uses.
    payload: bytes = b""
    #: Content of further sections by name; only the loader's own are mapped.
    sections: dict[str, bytes] = field(default_factory=dict)
    #: Bit of the x86-64 level that its GNU property note asks for: 2 for v2, 4 for v3. 0 for none.
    isa: int = 0
    build_id: bytes = b""
    #: Flags of PT_GNU_STACK: 6 for readable and writable, 7 for executable, too.
    stack_flags: int = 6
    #: Alignment of the loaded segment.
    alignment: int = _PAGE
    #: The program's dynamic loader; makes the shared object a program, too.
    interpreter: str = ""
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
    mapped: bool = True


class _Builder:
    def __init__(self, elf: TinyElf) -> None:
        self._elf = elf
        self._strings = _Strings()

    def build(self) -> bytes:
        elf = self._elf
        asked = [version for versions in elf.versions.values() for version in versions]
        offered = list(dict.fromkeys(name.partition("@")[2] for name in elf.defines if "@" in name))
        # Indices 0 and 1 stand for local symbols and for those without a version.
        index = {version: number for number, version in enumerate([*asked, *offered], start=2)}
        symbols, indices = [bytes(24)], [0]
        for names, binding, section in (
            (elf.imports, _GLOBAL, 0),
            (elf.weak_imports, _WEAK, 0),
            (elf.defines, _GLOBAL, 1),
        ):
            for item in names:
                name, _, version = item.partition("@")
                info = binding << 4 | _FUNCTION
                address = _BASE_HEADERS if section else 0
                fields = (self._strings.add(name), info, 0, section, address, 0)
                symbols.append(struct.pack("<LBBHQQ", *fields))
                indices.append(index[version] if version else 1)
        verneed = self._verneed(index)
        verdef = self._verdef(offered, index)
        entries = [("NEEDED", self._strings.add(library)) for library in elf.needed]
        for tag, text in (("SONAME", elf.soname), ("RPATH", elf.rpath), ("RUNPATH", elf.runpath)):
            if text:
                entries.append((tag, self._strings.add(text)))

        chain = [0] * len(symbols)
        for number in range(1, len(symbols) - 1):
            chain[number] = number + 1
        first = 1 if len(symbols) > 1 else 0
        table = [1, len(symbols), first, *chain]
        sections = [
            _Section(".dynsym", _SHT_DYNSYM, b"".join(symbols), link=3, info=1, entry=24),
            _Section(".hash", _SHT_HASH, struct.pack(f"<{len(table)}L", *table), link=1, entry=4),
            _Section(".dynstr", _SHT_STRTAB, self._strings.data),
        ]
        if verneed or verdef:
            data = struct.pack(f"<{len(indices)}H", *indices)
            sections.append(_Section(".gnu.version", _SHT_VERSYM, data, link=1, entry=2))
        if verneed:
            count = len(elf.versions)
            sections.append(_Section(".gnu.version_r", _SHT_VERNEED, verneed, link=3, info=count))
        if verdef:
            count = len(offered) + 1
            sections.append(_Section(".gnu.version_d", _SHT_VERDEF, verdef, link=3, info=count))
        if elf.interpreter:
            sections.append(_Section(".interp", _SHT_PROGBITS, elf.interpreter.encode() + b"\0"))
        sections += [_Section(name, _SHT_NOTE, data) for name, data in self._notes()]
        sections.append(_Section(".rodata", _SHT_PROGBITS, elf.payload or bytes(8)))
        sections += [
            _Section(name, _SHT_PROGBITS, data, mapped=False) for name, data in elf.sections.items()
        ]
        return self._lay_out(sections, entries, len(offered) + 1)

    def _notes(self) -> list[tuple[str, bytes]]:
        notes = []
        if self._elf.isa:
            properties = struct.pack("<LLLL", _X86_ISA_NEEDED, 4, self._elf.isa, 0)
            notes.append((".note.gnu.property", _note(5, properties)))
        if self._elf.build_id:
            notes.append((".note.gnu.build-id", _note(3, self._elf.build_id)))
        return notes

    def _verneed(self, index: dict[str, int]) -> bytes:
        out = b""
        libraries = list(self._elf.versions.items())
        for position, (library, versions) in enumerate(libraries):
            last = position == len(libraries) - 1
            step = 0 if last else 16 * (1 + len(versions))
            out += struct.pack("<HHLLL", 1, len(versions), self._strings.add(library), 16, step)
            for number, version in enumerate(versions):
                following = 0 if number == len(versions) - 1 else 16
                flags = 2 if version in self._elf.weak_versions else 0
                fields = (flags, index[version], self._strings.add(version), following)
                out += struct.pack("<LHHLL", _sysv_hash(version), *fields)
        return out

    def _verdef(self, offered: list[str], index: dict[str, int]) -> bytes:
        if not offered:
            return b""
        out = b""
        base = self._elf.soname or "lib.so"
        for number, name in enumerate([base, *offered]):
            flags, place = (1, 1) if number == 0 else (0, index[name])
            step = 0 if number == len(offered) else 28
            out += struct.pack("<HHHHLLL", 1, flags, place, 1, _sysv_hash(name), 20, step)
            out += struct.pack("<LL", self._strings.add(name), 0)
        return out

    def _lay_out(
        self, sections: list[_Section], entries: list[tuple[str, int]], offered: int
    ) -> bytes:
        pointed = [section for section in sections if section.name in _POINTED_TO]
        offset = _BASE_HEADERS + (3 + len(pointed)) * _PROGRAM_HEADER
        mapped = [section for section in sections if section.mapped]
        for section in mapped:
            section.offset = offset = _aligned(offset)
            offset += len(section.data)
        dynamic_offset = _aligned(offset)
        place = {section.name: section.offset for section in mapped}
        entries = [
            *entries,
            ("HASH", place[".hash"]),
            ("STRTAB", place[".dynstr"]),
            ("SYMTAB", place[".dynsym"]),
            ("STRSZ", len(self._strings.data)),
            ("SYMENT", 24),
        ]
        if ".gnu.version" in place:
            entries.append(("VERSYM", place[".gnu.version"]))
        if ".gnu.version_r" in place:
            entries += [
                ("VERNEED", place[".gnu.version_r"]),
                ("VERNEEDNUM", len(self._elf.versions)),
            ]
        if ".gnu.version_d" in place:
            entries += [("VERDEF", place[".gnu.version_d"]), ("VERDEFNUM", offered)]
        dynamic = b"".join(struct.pack("<QQ", _DT[tag], value) for tag, value in entries)
        dynamic += bytes(16)
        end = dynamic_offset + len(dynamic)
        names = _Strings()
        offset = end
        unmapped = [section for section in sections if not section.mapped]
        for section in unmapped:
            section.offset = offset = _aligned(offset)
            offset += len(section.data)
        sections = [
            *mapped,
            _Section(".dynamic", _SHT_DYNAMIC, dynamic, link=3, entry=16, offset=dynamic_offset),
            *unmapped,
        ]
        for name in [*(section.name for section in sections), ".shstrtab"]:
            names.add(name)
        sections.append(
            _Section(".shstrtab", _SHT_STRTAB, names.data, offset=_aligned(offset), mapped=False)
        )
        table = _aligned(sections[-1].offset + len(names.data))

        image = bytearray(table + _SECTION_HEADER * (len(sections) + 1))
        programs = (
            _program(_PT_LOAD, 6, 0, end, self._elf.alignment)
            + _program(_PT_DYNAMIC, 6, dynamic_offset, len(dynamic), _ALIGN)
            + _program(_PT_GNU_STACK, self._elf.stack_flags, 0, 0, 16)
        )
        for section in pointed:
            kind, alignment = _POINTED_TO[section.name]
            programs += _program(kind, 4, section.offset, len(section.data), alignment)
        count = len(programs) // _PROGRAM_HEADER
        image[:_BASE_HEADERS] = self._header(count, table, len(sections) + 1)
        image[_BASE_HEADERS : _BASE_HEADERS + len(programs)] = programs
        for number, section in enumerate(sections, start=1):
            image[section.offset : section.offset + len(section.data)] = section.data
            start = table + number * _SECTION_HEADER
            image[start : start + _SECTION_HEADER] = _section(section, names.add(section.name))
        return bytes(image)

    def _header(self, program_count: int, section_table: int, section_count: int) -> bytes:
        identity = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
        sizes = (
            _BASE_HEADERS,
            _PROGRAM_HEADER,
            program_count,
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
    address = section.offset if section.mapped else 0
    flags = 2 if section.mapped else 0
    place = (flags, address, section.offset, len(section.data), section.link, section.info)
    return struct.pack("<LLQQQQLLQQ", name, section.kind, *place, _ALIGN, section.entry)


def _note(kind: int, content: bytes) -> bytes:
    return struct.pack("<LLL", 4, len(content), kind) + b"GNU\0" + content


def _sysv_hash(name: str) -> int:
    value = 0
    for character in name.encode():
        value = (value << 4) + character
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high
    return value & 0xFFFFFFFF
