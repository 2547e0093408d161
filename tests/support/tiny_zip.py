# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Zip archives byte by byte, so that any field can lie."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

STORED, DEFLATED = 0, 8
DATA_DESCRIPTOR, UTF8_NAME = 0x8, 0x800


@dataclass(frozen=True)
class TinyEntry:
    """One file. `None`: what is right."""

    name: bytes
    content: bytes = b""
    method: int = DEFLATED
    flags: int = 0
    mode: int = 0o100644
    comment: bytes = b""
    #: Extra fields of the central directory and of the local header.
    extra: bytes = b""
    local_extra: bytes = b""
    #: What the local header alone says.
    local_name: bytes | None = None
    local_size: int | None = None
    #: What both headers say.
    size: int | None = None
    crc: int | None = None
    #: The data, in place of what the content gives.
    data: bytes | None = None
    #: Bytes between it and the next file.
    gap: bytes = b""
    #: Where the central directory says that it starts.
    offset: int | None = None

    @property
    def stored_data(self) -> bytes:
        """What lies in the archive."""
        if self.data is not None:
            return self.data
        if self.method == STORED:
            return self.content
        compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
        return compressor.compress(self.content) + compressor.flush()


def build_zip(
    entries: Iterable[TinyEntry],
    *,
    prefix: bytes = b"",
    suffix: bytes = b"",
    count: int | None = None,
    zip64_end: bytes = b"",
) -> bytes:
    """An archive.

    Args:
        entries: its files, in order.
        prefix: bytes before it, which its offsets do not count.
        suffix: bytes after it.
        count: files that the end record counts, if it is to lie.
        zip64_end: bytes between the central directory and the end record.
    """
    entries = list(entries)
    body = b""
    directory = b""
    for entry in entries:
        data = entry.stored_data
        size = len(entry.content) if entry.size is None else entry.size
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        local_size = size if entry.local_size is None else entry.local_size
        local = (crc, len(data), local_size)
        if entry.flags & DATA_DESCRIPTOR:
            local = (0, 0, 0)
        name = entry.name if entry.local_name is None else entry.local_name
        offset = len(body) if entry.offset is None else entry.offset
        body += struct.pack(
            "<4s5H3L2H",
            b"PK\x03\x04",
            20,
            entry.flags,
            entry.method,
            0,
            33,
            *local,
            len(name),
            len(entry.local_extra),
        )
        body += name + entry.local_extra + data
        if entry.flags & DATA_DESCRIPTOR:
            body += struct.pack("<4s3L", b"PK\x07\x08", crc, len(data), size)
        body += entry.gap
        lengths = (len(entry.name), len(entry.extra), len(entry.comment))
        directory += struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            0x314,
            20,
            entry.flags,
            entry.method,
            0,
            33,
            crc,
            len(data),
            size,
            *lengths,
            0,
            0,
            entry.mode << 16,
            offset,
        )
        directory += entry.name + entry.extra + entry.comment
    total = len(entries) if count is None else count
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, total, total, len(directory), len(body), 0)
    return prefix + body + directory + zip64_end + end + suffix
