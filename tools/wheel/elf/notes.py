# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Notes of the tool chain: the build id, and the instructions that a file cannot do without."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from .image import Image

_BUILD_ID, _PROPERTIES = 3, 5
_X86_ISA_NEEDED = 0xC0008002
#: Most bytes of notes that are read.
_LIMIT = 1 << 16

#: Bits of the property, newest first.
_X86_LEVELS = ((8, "x86-64-v4"), (4, "x86-64-v3"), (2, "x86-64-v2"))


@dataclass(frozen=True)
class Notes:
    """What the notes say; "" where they say nothing."""

    build_id: str = ""
    #: Level of x86-64 that the loader asks the processor for, such as x86-64-v3.
    isa: str = ""


def read_notes(image: Image) -> Notes:
    """Read the notes of GNU's tools. A malformed note is passed over: the loader does so, too."""
    build_id = isa = ""
    for kind, content in _notes(image):
        if kind == _BUILD_ID:
            build_id = build_id or content.hex()
        elif kind == _PROPERTIES:
            isa = isa or _isa(image, content)
    return Notes(build_id, isa)


def _notes(image: Image) -> Iterator[tuple[int, bytes]]:
    header = struct.Struct(image.order + "3L")
    left = _LIMIT
    for segment in image.segments:
        if segment.kind not in ("NOTE", "GNU_PROPERTY") or segment.file_size > left:
            continue
        if segment.offset + segment.file_size > image.size:
            continue
        left -= segment.file_size
        data = image.read(segment.offset, segment.file_size)
        step = 8 if segment.alignment == 8 else 4
        place = 0
        while place + header.size <= len(data):
            name_size, size, kind = header.unpack_from(data, place)
            start = place + header.size
            content = _aligned(start + name_size, step)
            if data[start : start + name_size] == b"GNU\0":
                yield kind, data[content : content + size]
            place = _aligned(content + size, step)


def _isa(image: Image, properties: bytes) -> str:
    place = 0
    while place + 8 <= len(properties):
        kind, size = struct.unpack_from(image.order + "LL", properties, place)
        if kind == _X86_ISA_NEEDED and size == 4 and place + 12 <= len(properties):
            (bits,) = struct.unpack_from(image.order + "L", properties, place + 8)
            return next((level for bit, level in _X86_LEVELS if bits & bit), "")
        place += 8 + _aligned(size, 8 if image.wide else 4)
    return ""


def _aligned(offset: int, step: int) -> int:
    return (offset + step - 1) // step * step
