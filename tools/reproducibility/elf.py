# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where two ELF files differ: section by section."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable

from tools.wheel.elf.elf_file import Section
from tools.wheel.elf.image import Image, open_image
from tools.wheel.elf.notes import read_notes

from .device_code import DEVICE_SECTIONS, compare_device_code
from .difference import Findings, compare_bytes, first_difference, shown, sides, sizes
from .symbols import symbol_at

#: What sections hold whose names do not say so, by how the name starts.
_MEANINGS = {
    ".comment": "versions of the compilers",
    ".debug_": "debug information, often with folders of the build",
    ".gnu_debuglink": "name and checksum of the file with debug information",
    ".rela": "relocations",
    ".symtab": "symbols for debuggers",
    ".strtab": "names of symbols",
}


def compare_elf(first: bytes, second: bytes) -> Findings:
    """What differs, in the order of the first file; consequences among them.

    What cannot be read as an ELF file is compared as bytes.
    """
    try:
        images = open_image(io.BytesIO(first)), open_image(io.BytesIO(second))
        found = [*_segments(*images), *_sections(*images)]
    except (ValueError, struct.error):
        yield from compare_bytes(first, second)
        return
    yield from found
    if not found:
        for part, what in compare_bytes(first, second):
            yield f"{part}, outside of every section", what


def _segments(first: Image, second: Image) -> Findings:
    for number, (one, other) in enumerate(zip(first.segments, second.segments, strict=False)):
        if (one.kind, one.flags, one.alignment) != (other.kind, other.flags, other.alignment):
            described = (
                f"{segment.kind} with flags {segment.flags}, aligned to {segment.alignment}"
                for segment in (one, other)
            )
            yield f"program header {number}", sides(*described)
    counts = len(first.segments), len(second.segments)
    if counts[0] != counts[1]:
        yield "program headers", sides(*counts)


def _sections(first: Image, second: Image) -> Findings:
    ones, others = _by_name(first.sections), _by_name(second.sections)
    moved = []
    for key, one in ones.items():
        other = others.get(key)
        if other is None:
            yield _named(one), f"only in the first, {one.size} bytes"
            continue
        found = list(_contents(first, one, second, other))
        yield from found
        if not found and (one.address, one.offset) != (other.address, other.offset):
            moved.append(one.name)
    for key, other in others.items():
        if key not in ones:
            yield _named(other), f"only in the second, {other.size} bytes"
    if moved:
        yield "sections moved", f"the same content at another place: {', '.join(moved)}"
    elif list(ones) != list(others) and set(ones) == set(others):
        orders = (", ".join(name for name, _ in order) for order in (ones, others))
        yield "order of sections", sides(*orders)


def _contents(first: Image, one: Section, second: Image, other: Section) -> Findings:
    part = _named(one)
    if one.kind != other.kind or one.loaded != other.loaded:
        yield part, sides(*(f"{side.kind}{', loaded' * side.loaded}" for side in (one, other)))
        return
    if one.kind == "NOBITS":
        if one.size != other.size:
            yield part, sides(f"{one.size} bytes", other.size)
        return
    data = _read(first, one), _read(second, other)
    at = first_difference(*data)
    if at is None:
        return
    identifiers = [read_notes(image).build_id for image in (first, second)]
    if one.name == ".note.gnu.build-id" and identifiers[0] != identifiers[1]:
        yield part, sides(*(identifier or "none" for identifier in identifiers))
        return
    if one.name in DEVICE_SECTIONS:
        found = list(compare_device_code((first.stream, one), (second.stream, other), compare_elf))
        if found:
            yield from ((f"{part}, {inner}", what) for inner, what in found)
            return
    yield part, _place(at, data, (symbol_at(first, one, at), symbol_at(second, other, at)))


def _place(at: int, data: tuple[bytes, bytes], symbols: tuple[str, str]) -> str:
    one, other = (f"`{symbol}`" if symbol else "no symbol" for symbol in symbols)
    within = f", in {one if one == other else sides(one, other)}" if any(symbols) else ""
    return (
        f"from byte {at:#x} of {sizes(*data)}{within}: "
        f"{sides(shown(data[0], at), shown(data[1], at))}"
    )


def _read(image: Image, section: Section) -> bytes:
    return b"".join(image.chunks(section, 16 << 20))


def _by_name(sections: Iterable[Section]) -> dict[tuple[str, int], Section]:
    """Sections by name and by how many of that name came before."""
    found: dict[tuple[str, int], Section] = {}
    counts: dict[str, int] = {}
    for section in sections:
        if section.kind == "NULL":
            continue
        number = counts[section.name] = counts.get(section.name, -1) + 1
        found[section.name, number] = section
    return found


def _named(section: Section) -> str:
    meaning = next((text for name, text in _MEANINGS.items() if section.name.startswith(name)), "")
    return f"section `{section.name}`{f' ({meaning})' if meaning else ''}"
