# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A block behind the end of an ELF file, with a segment that loads it.

It holds the dynamic strings; the dynamic section, where that has outgrown its place; and what makes
room for one more program header (`room`). What points to them is written anew: the dynamic section,
headers, and symbols such as `_DYNAMIC`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .architecture import largest_page
from .dynamic import POINTERS, STRSZ, STRTAB, Dynamic
from .elf_file import READABLE, WRITABLE, Section, Segment
from .image import Image
from .room import ALIGNMENT, POINTING, PROGRAM_HEADER, Span, find_room

#: A place in the file, and the bytes to write there.
Write = tuple[int, bytes]

_COUNT_PLACE, _COUNT = 56, struct.Struct("<H")
_ENTRY, _VALUE = struct.Struct("<qQ"), struct.Struct("<Q")
_PROGRAM_HEADER, _LOAD = struct.Struct("<LLQQQQQQ"), 1
_SECTION_HEADER, _SECTION_PLACE, _PLACE = 64, 16, struct.Struct("<QQQ")
#: The index of its section, in a symbol; and where in a symbol the value is.
_SYMBOL, _SYMBOL_VALUE = struct.Struct("<6xH16x"), 8
_SYMBOLS = _SYMBOL.size << 15


@dataclass(frozen=True)
class _Part:
    """What moves into the block: where it was, and where it will be."""

    was: Span
    now: Span

    def offset(self, offset: int) -> int:
        """The new place of a byte in the file; the old one for a byte of another part."""
        inside = 0 <= offset - self.was.offset < self.was.size
        return offset - self.was.offset + self.now.offset if inside else offset

    def address(self, address: int) -> int:
        """The new address of what has moved with it."""
        return address - self.was.address + self.now.address

    @property
    def growth(self) -> int:
        """Bytes that it has more than before."""
        return self.now.size - self.was.size


def append_block(
    image: Image,
    dynamic: Dynamic,
    entries: Sequence[tuple[int, int]],
    strings: bytes,
    writes: Sequence[Write],
) -> list[Write]:
    """What to write to give a file other dynamic strings and entries.

    Args:
        image: the file.
        dynamic: its dynamic section.
        entries: those to have, but for the places of what moves.
        strings: the dynamic string table to have.
        writes: what else is to be written, over bytes that the file has.

    Raises:
        ValueError: the file is laid out so that no block can be loaded.
    """
    segment, address = image.segment("DYNAMIC"), dynamic.value(STRTAB)
    assert segment is not None and address is not None
    was_table = Span(segment.offset, segment.address, segment.file_size)
    was_names = Span(image.offset(address), address, len(dynamic.strings.data))
    room = find_room(image, [was_table, was_names])
    outgrown = len(entries) > len(dynamic.entries) + dynamic.spare
    homeless = room.outlived is not None and room.outlived.address <= was_table.address
    block = _free_place(image)
    front = _following(block, room.moving, ALIGNMENT)
    size = len(dynamic_table(dynamic, entries)) if outgrown or homeless else 0
    table = _following(front.now, was_table, size=size)
    names = _following(table.now, was_names, size=len(strings))
    block = replace(block, size=names.now.offset + names.now.size - block.offset)
    parts = [part for part in (names, table, front) if part.now.size]

    values = {tag: _moved(parts, value) for tag, value in entries if tag in POINTERS}
    values[STRSZ] = len(strings)
    entries = [(tag, values.get(tag, value)) for tag, value in entries]
    headers = _program_headers(image, block, parts, room.outlived)
    moving = bytearray(image.read(front.was.offset, front.was.size))
    if front.was.covers(was_names.address):
        start = was_names.offset - front.was.offset
        end = min(start + was_names.size, len(moving))
        moving[start:end] = bytes(end - start)
    return [
        # Nothing is left that a later edit could take for something that it must not overwrite.
        (front.was.offset, bytes(front.was.size)),
        (front.now.offset, bytes(moving)),
        (table.now.offset if size else table.was.offset, dynamic_table(dynamic, entries)),
        (names.now.offset, strings),
        (image.segment_table, headers),
        (_COUNT_PLACE, _COUNT.pack(len(headers) // PROGRAM_HEADER)),
        *_section_headers(image, parts),
        *((front.offset(place), data) for place, data in (*writes, *_symbols(image, parts))),
    ]


def dynamic_table(dynamic: Dynamic, entries: Sequence[tuple[int, int]]) -> bytes:
    """The bytes of a dynamic section with other entries, which cover those of before."""
    table = b"".join(_ENTRY.pack(*entry) for entry in entries)
    count = max(len(entries), len(dynamic.entries)) + 1
    return table.ljust(count * _ENTRY.size, b"\0")


def _free_place(image: Image) -> Span:
    """The first page behind the file and, in memory, behind all that it loads."""
    page = largest_page(image.architecture)
    loaded = [segment for segment in image.segments if segment.kind == "LOAD"]
    end = max(segment.address + segment.memory_size for segment in loaded)
    return Span(_aligned(image.size, page), _aligned(end, page), 0)


def _following(
    span: Span, was: Span, alignment: int = _ENTRY.size, size: int | None = None
) -> _Part:
    """A part that comes behind another one, aligned as it was."""
    distance = span.size + (was.offset - span.offset - span.size) % alignment
    size = was.size if size is None else size
    return _Part(was, Span(span.offset + distance, span.address + distance, size))


def _moved(parts: Iterable[_Part], address: int) -> int:
    return next((part.address(address) for part in parts if part.was.covers(address)), address)


def _program_headers(
    image: Image, block: Span, parts: Sequence[_Part], outlived: Segment | None
) -> bytes:
    data = image.read(image.segment_table, len(image.segments) * PROGRAM_HEADER)
    rows = list(_PROGRAM_HEADER.iter_unpack(data))
    flags = READABLE
    for number, segment in enumerate(image.segments):
        kind, access, offset, address, physical, size, memory, alignment = rows[number]
        part = next((part for part in parts if part.was.covers(address)), None)
        if segment.kind == "PHDR" and not outlived:
            size, memory = size + PROGRAM_HEADER, memory + PROGRAM_HEADER
        elif part and segment.kind in POINTING:
            physical += part.now.address - part.was.address
            offset, address = part.offset(offset), part.address(address)
            size, memory = size + part.growth, memory + part.growth
            if segment.kind == "DYNAMIC":
                # glibc before 2.36 writes into it.
                flags |= access & WRITABLE
        rows[number] = (kind, access, offset, address, physical, size, memory, alignment)
    # Segments that are loaded ascend by address.
    last = max(number for number, row in enumerate(rows) if row[0] == _LOAD)
    places = (block.offset, block.address, block.address, block.size, block.size)
    rows[last + 1 - bool(outlived) : last + 1] = [
        (_LOAD, flags, *places, largest_page(image.architecture))
    ]
    return b"".join(_PROGRAM_HEADER.pack(*row) for row in rows)


def _sections(image: Image, parts: Sequence[_Part]) -> Iterator[tuple[int, Section, _Part]]:
    """The sections that move, each with its number."""
    for number, section in enumerate(image.sections):
        for part in parts:
            if section.loaded and section.size and part.was.covers(section.address):
                yield number, section, part
                break


def _section_headers(image: Image, parts: Sequence[_Part]) -> Iterator[Write]:
    for number, section, part in _sections(image, parts):
        place = image.section_table + number * _SECTION_HEADER + _SECTION_PLACE
        yield (
            place,
            _PLACE.pack(
                part.address(section.address),
                part.offset(section.offset),
                section.size + part.growth,
            ),
        )


def _symbols(image: Image, parts: Sequence[_Part]) -> Iterator[Write]:
    """New addresses of the symbols of sections that move."""
    moving = {number: part for number, _, part in _sections(image, parts)}
    tables = [section for section in image.sections if section.kind in ("SYMTAB", "DYNSYM")]
    for table in image.disjoint(tables):
        place = table.offset
        for chunk in image.chunks(table, _SYMBOLS):
            chunk = chunk[: len(chunk) // _SYMBOL.size * _SYMBOL.size]
            for start, (index,) in enumerate(_SYMBOL.iter_unpack(chunk)):
                if index in moving:
                    at = start * _SYMBOL.size + _SYMBOL_VALUE
                    (value,) = _VALUE.unpack_from(chunk, at)
                    if moving[index].was.covers(value):
                        yield place + at, _VALUE.pack(moving[index].address(value))
            place += len(chunk)


def _aligned(number: int, step: int) -> int:
    return (number + step - 1) // step * step
