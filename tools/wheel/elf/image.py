# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The bytes of an ELF file: its headers, and what they point to.

Anyone may have made the file. So nothing is read that lies outside it, no table may be larger than
any real one, and what disagrees is a `ValueError`.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from .architecture import ARCHITECTURES
from .elf_file import Section, Segment

MAGIC = b"\x7fELF"
#: Kinds of files that the dynamic loader sees: a program at a fixed address, and what it can move.
PROGRAM, SHARED_OBJECT = 2, 3

#: Largest table that is read whole. The string table of libtorch has 20 MiB.
_TABLE_LIMIT = 256 << 20
#: Most characters of all names that are read of one string table; they may lie within each other.
_NAMES_LIMIT = 128 << 20
#: Most headers of a kind; ELF's own counts are 16 bits wide.
_HEADER_LIMIT = 1 << 16
#: Flag of sections that are loaded.
_ALLOC = 2

_SEGMENT_KINDS = {
    0: "NULL",
    1: "LOAD",
    2: "DYNAMIC",
    3: "INTERP",
    4: "NOTE",
    6: "PHDR",
    7: "TLS",
    0x6474E550: "GNU_EH_FRAME",
    0x6474E551: "GNU_STACK",
    0x6474E552: "GNU_RELRO",
    0x6474E553: "GNU_PROPERTY",
}
_SECTION_KINDS = {
    0: "NULL",
    1: "PROGBITS",
    2: "SYMTAB",
    3: "STRTAB",
    4: "RELA",
    5: "HASH",
    6: "DYNAMIC",
    7: "NOTE",
    8: "NOBITS",
    9: "REL",
    11: "DYNSYM",
    14: "INIT_ARRAY",
    15: "FINI_ARRAY",
    0x6FFFFFF6: "GNU_HASH",
    0x6FFFFFFD: "GNU_verdef",
    0x6FFFFFFE: "GNU_verneed",
    0x6FFFFFFF: "GNU_versym",
}


class Strings:
    """A string table."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._left = _NAMES_LIMIT

    def text(self, offset: int) -> str:
        """An entry.

        Raises:
            ValueError: it lies after the table, or has no end, or more was read than any real table
                has.
        """
        end = self.data.index(b"\0", offset)
        self._left -= end - offset
        if self._left < 0:
            raise ValueError("its names are longer than those of any real file")
        return self.data[offset:end].decode(errors="backslashreplace")


@dataclass(frozen=True)
class Image:
    """An open ELF file."""

    stream: IO[bytes]
    size: int
    #: Whether its words have 64 bits.
    wide: bool
    #: Byte order, as `struct` spells it.
    order: str
    #: `PROGRAM`, `SHARED_OBJECT`, or a kind that no loader takes.
    kind: int
    machine: int
    segments: tuple[Segment, ...]
    sections: tuple[Section, ...]
    #: Places of the two tables of headers in the file.
    segment_table: int
    section_table: int

    @property
    def is_program(self) -> bool:
        """Whether it is an executable, or a shared object with an interpreter."""
        return self.kind == PROGRAM or self.segment("INTERP") is not None

    @property
    def architecture(self) -> str:
        """As platform tags spell it, or a phrase where no tag knows it."""
        key = (self.machine, self.wide, self.order)
        return ARCHITECTURES.get(key, f"ELF machine {self.machine}")

    def layout(self, wide: str, narrow: str) -> struct.Struct:
        """The layout of a structure, by word size."""
        return struct.Struct(self.order + (wide if self.wide else narrow))

    def read(self, offset: int, size: int) -> bytes:
        """Bytes at a place in the file.

        Raises:
            ValueError: the file ends before, or no real table is that large.
        """
        return _read(self.stream, self.size, offset, size)

    def disjoint(self, sections: Iterable[Section]) -> tuple[Section, ...]:
        """Those of the sections that have content, to read all of it.

        Raises:
            ValueError: they have more bytes than the file, so they lie within each other.
        """
        found = tuple(section for section in sections if section.kind != "NOBITS")
        total = sum(section.size for section in found)
        if total > self.size:
            names = ", ".join(f"`{name}`" for name in sorted({item.name for item in found})[:3])
            raise ValueError(f"its sections {names} have {total} bytes, the file {self.size}")
        return found

    def chunks(self, section: Section, size: int) -> Iterator[bytes]:
        """The content of a section, `size` bytes at a time.

        Raises:
            ValueError: the file ends before.
        """
        for start in range(0, section.size, size):
            yield self.read(section.offset + start, min(size, section.size - start))

    def offset(self, address: int) -> int:
        """The place in the file of what is loaded at an address.

        Raises:
            ValueError: nothing of the file is loaded there.
        """
        for segment in self.segments:
            if segment.kind == "LOAD" and 0 <= address - segment.address < segment.file_size:
                return segment.offset + address - segment.address
        raise ValueError(f"nothing is loaded at address {address:#x}")

    def segment(self, kind: str) -> Segment | None:
        """The first segment of a kind."""
        return next((segment for segment in self.segments if segment.kind == kind), None)


def open_image(stream: IO[bytes]) -> Image:
    """Read the headers of an ELF file.

    Raises:
        ValueError: they contradict each other, or point outside the file.
        struct.error: they are cut short.
    """
    size = stream.seek(0, os.SEEK_END)
    identity = _read(stream, size, 0, 16)
    if not identity.startswith(MAGIC) or identity[4] not in (1, 2) or identity[5] not in (1, 2):
        raise ValueError("its first bytes are not those of an ELF file")
    wide = identity[4] == 2
    order = "<" if identity[5] == 1 else ">"
    header = struct.Struct(order + ("HHLQQQL6H" if wide else "HHLLLLL6H"))
    fields = header.unpack(_read(stream, size, 16, header.size))
    kind, machine, _, _, segment_offset, section_offset = fields[:6]
    _, _, segment_size, segment_count, section_size, section_count, names_index = fields[6:]

    segment_layout = struct.Struct(order + ("LLQQQQQQ" if wide else "8L"))
    section_layout = struct.Struct(order + ("LLQQQQLLQQ" if wide else "10L"))
    raw_sections: list[tuple[int, ...]] = []
    if section_offset:
        if section_count == 0:
            # More than 16 bits can count: the first header, for no section, has the number.
            first = _read(stream, size, section_offset, section_layout.size)
            section_count = section_layout.unpack(first)[5]
        raw_sections = _table(
            stream, size, section_layout, section_offset, section_size, section_count
        )
    raw_segments = _table(stream, size, segment_layout, segment_offset, segment_size, segment_count)
    return Image(
        stream=stream,
        size=size,
        wide=wide,
        order=order,
        kind=kind,
        machine=machine,
        segments=tuple(_segment(fields, wide) for fields in raw_segments),
        sections=tuple(_sections(stream, size, raw_sections, names_index)),
        segment_table=segment_offset,
        section_table=section_offset,
    )


def _read(stream: IO[bytes], end: int, offset: int, size: int) -> bytes:
    if size > _TABLE_LIMIT:
        raise ValueError(f"a table of {size} bytes is none of a real file")
    if offset + size > end:
        raise ValueError(f"bytes {offset} to {offset + size} lie after its end at {end}")
    stream.seek(offset)
    return stream.read(size)


def _table(
    stream: IO[bytes], end: int, layout: struct.Struct, offset: int, step: int, count: int
) -> list[tuple[int, ...]]:
    if count == 0:
        return []
    if step != layout.size or count > _HEADER_LIMIT:
        raise ValueError(f"{count} headers of {step} bytes each are none of a real file")
    return list(layout.iter_unpack(_read(stream, end, offset, count * step)))


def _segment(fields: tuple[int, ...], wide: bool) -> Segment:
    if wide:
        kind, flags, offset, address, _, file_size, memory_size, alignment = fields
    else:
        kind, offset, address, _, file_size, memory_size, flags, alignment = fields
    return Segment(
        kind=_SEGMENT_KINDS.get(kind, f"{kind:#x}"),
        flags=flags,
        offset=offset,
        address=address,
        file_size=file_size,
        memory_size=memory_size,
        alignment=alignment,
    )


def _sections(
    stream: IO[bytes], end: int, raw: list[tuple[int, ...]], names_index: int
) -> Iterator[Section]:
    names = Strings(b"")
    if names_index == 0xFFFF and raw:
        names_index = raw[0][6]
    if 0 < names_index < len(raw):
        _, _, _, _, offset, size, *_ = raw[names_index]
        names = Strings(_read(stream, end, offset, size))
    for name_offset, kind, flags, address, offset, size, *_ in raw:
        name = names.text(name_offset) if names.data else ""
        yield Section(
            name=name,
            kind=_SECTION_KINDS.get(kind, f"{kind:#x}"),
            address=address,
            offset=offset,
            size=size,
            loaded=bool(flags & _ALLOC),
        )
