# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Room for the program header of a block that an edit appends to an ELF file.

The headers stay where linkers put them, for tools that rewrite ELF files, `strip` for one, look for
them behind the file header and nowhere else. So what lies behind them moves into the block. A file
that has such a block already gives that one's header to the new block, and its content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .elf_file import EXECUTABLE, Section, Segment
from .image import Image

#: Bytes of a program header.
PROGRAM_HEADER = 56
#: Segments that point to a part of one that is loaded, for those who look for it there.
POINTING = ("DYNAMIC", "INTERP", "NOTE", "GNU_PROPERTY")
#: What moves keeps its place within this many bytes; no section that moves asks for more.
ALIGNMENT = 64

#: What linkers fill gaps with, and patchelf the places that it has moved something from.
_PADDING = b"\0XZ"

#: Sections that are found by program headers or the dynamic section, and by nothing else.
_MOVABLE = (
    "NOTE",
    "HASH",
    "GNU_HASH",
    "DYNSYM",
    "STRTAB",
    "GNU_versym",
    "GNU_verneed",
    "GNU_verdef",
)


@dataclass(frozen=True)
class Span:
    """A part of a file, and where it is loaded."""

    offset: int
    address: int
    size: int

    def covers(self, address: int) -> bool:
        """Whether an address is in it."""
        return 0 <= address - self.address < self.size


@dataclass(frozen=True)
class Room:
    """What makes room for a program header."""

    #: The sections that move, in one piece; of size 0 where there is room.
    moving: Span
    #: The segment that has nothing left to load then, and gives its header.
    outlived: Segment | None = None


def find_room(image: Image, tables: Sequence[Span]) -> Room:
    """Find room for one program header.

    Args:
        image: the file.
        tables: the dynamic section and its strings, which can move, too.

    Raises:
        ValueError: something is in the way that cannot move.
    """
    named = {section.address: section.size for section in image.sections if section.loaded}
    if any(named.get(table.address, 0) < table.size for table in tables):
        raise ValueError("no section header tells whether there is room for a program header")
    return _block_of_before(image, tables) or Room(_behind_headers(image))


def _block_of_before(image: Image, tables: Sequence[Span]) -> Room | None:
    """The last segment, if all that it holds can move."""
    last = [segment for segment in image.segments if segment.kind == "LOAD"][-1]
    span = Span(last.offset, last.address, last.memory_size)
    tables = [table for table in tables if span.covers(table.address)]
    others = [
        section
        for section in _by_offset(image)
        if section.loaded
        and span.covers(section.address)
        and not any(table.covers(section.address) for table in tables)
    ]
    shared = (
        segment.kind not in ("LOAD", *POINTING) and segment.memory_size
        for segment in image.segments
        if span.covers(segment.address)
    )
    moving = _span(others) if others else Span(0, 0, 0)
    unknown = span.size - moving.size - sum(table.size for table in tables)
    if (
        not (others or tables)
        or last.flags & EXECUTABLE
        or any(shared)
        or not all(_is_movable(image, section) for section in others)
        or any(moving.covers(table.address) for table in tables)
        or not 0 <= unknown < 2 * ALIGNMENT
        or not _is_padding(image, [*map(_place, others), *tables], last.offset, last.file_size)
    ):
        return None
    return Room(moving, last)


def _behind_headers(image: Image) -> Span:
    start = image.segment_table + len(image.segments) * PROGRAM_HEADER
    limit = start + PROGRAM_HEADER
    loaded = any(
        segment.kind == "LOAD"
        and segment.offset <= image.segment_table
        and limit <= segment.offset + segment.file_size
        for segment in image.segments
    )
    if not loaded:
        raise ValueError("its program headers lie where nothing is loaded, or at the end of it")
    if start <= image.section_table < limit:
        raise ValueError("its section headers lie where a program header has to be")
    moving: list[Section] = []
    end = limit
    for section in _by_offset(image):
        if section.offset >= limit:
            break
        if section.kind == "NOBITS" or section.offset + section.size <= start:
            continue
        if section.offset < start or not _is_movable(image, section):
            raise ValueError(f"section `{section.name}` lies where a program header has to be")
        moving.append(section)
        # What a segment points to stays together.
        ends = (
            segment.offset + segment.file_size
            for segment in image.segments
            if segment.kind in POINTING
            and segment.offset <= section.offset < segment.offset + segment.file_size
        )
        limit = end = max(limit, section.offset + section.size, *ends)
    if not _is_padding(image, [_place(section) for section in moving], start, end - start):
        raise ValueError("no section header tells what lies where a program header has to be")
    return _span(moving) if moving else Span(0, 0, 0)


def _by_offset(image: Image) -> list[Section]:
    sections = (section for section in image.sections if section.size)
    return sorted(sections, key=lambda section: section.offset)


def _place(section: Section) -> Span:
    return Span(section.offset, section.address, section.size)


def _is_padding(image: Image, spans: Sequence[Span], offset: int, size: int) -> bool:
    """Whether nothing lies in a part of the file but these spans."""
    content = bytearray(image.read(offset, size))
    for span in spans:
        start = max(span.offset - offset, 0)
        end = max(span.offset - offset + span.size, start)
        content[start:end] = bytes(len(content[start:end]))
    return not content.translate(None, _PADDING)


def _span(sections: Sequence[Section]) -> Span:
    first = sections[0]
    end = max(section.offset + section.size for section in sections)
    return Span(first.offset, first.address, end - first.offset)


def _is_movable(image: Image, section: Section) -> bool:
    if not section.loaded or image.offset(section.address) != section.offset:
        return False
    interpreter = image.segment("INTERP")
    return section.kind in _MOVABLE or (
        interpreter is not None and interpreter.offset == section.offset
    )
