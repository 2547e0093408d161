# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The few structures of the zip format that a wheel needs, as bytes.

Field layout after PKWARE's APPNOTE 6.3.x, sections 4.3.7 to 4.3.16. No data descriptors are used:
sizes and checksum stand in the local header, as package indexes require.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

STORED = 0
DEFLATED = 8

#: Sizes and offsets from here on need the 64-bit extra field.
ZIP64_LIMIT = 0xFFFFFFFF

#: What a 32-bit field holds when the value stands in the 64-bit extra field.
ZIP64_MARKER = 0xFFFFFFFF

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")

_UTF8_NAME = 0x800
_CREATED_ON_UNIX = 3 << 8
_REGULAR_FILE = 0o100000

#: 1980-01-01 00:00:00, the earliest time the format can express.
_TIME, _DATE = 0, (0 << 9) | (1 << 5) | 1


@dataclass(frozen=True)
class EntryHeader:
    """What the local header and the central directory say about one file."""

    path: str
    method: int
    crc: int
    compressed_size: int
    size: int
    offset: int
    mode: int
    #: Whether the local header reserves room for 64-bit sizes; fixed before the data is written.
    wide: bool

    @property
    def _name(self) -> bytes:
        return self.path.encode("utf-8")

    @property
    def _flags(self) -> int:
        return 0 if self.path.isascii() else _UTF8_NAME

    def local(self) -> bytes:
        """The local header; its length depends on `path` and `wide` alone."""
        extra = b""
        compressed_size, size = self.compressed_size, self.size
        if self.wide:
            extra = struct.pack("<2H2Q", 1, 16, size, compressed_size)
            compressed_size = size = ZIP64_MARKER
        fields = (_version(self.wide), self._flags, self.method, _TIME, _DATE, self.crc)
        lengths = (len(self._name), len(extra))
        header = _LOCAL.pack(b"PK\x03\x04", *fields, compressed_size, size, *lengths)
        return header + self._name + extra

    def central(self) -> bytes:
        """The entry of the central directory."""
        wide_fields = []
        compressed_size, size, offset = self.compressed_size, self.size, self.offset
        if self.wide:
            wide_fields += [size, compressed_size]
            size = compressed_size = ZIP64_MARKER
        if offset >= ZIP64_LIMIT:
            wide_fields.append(offset)
            offset = ZIP64_MARKER
        extra = b""
        if wide_fields:
            layout = f"<2H{len(wide_fields)}Q"
            extra = struct.pack(layout, 1, 8 * len(wide_fields), *wide_fields)
        version = _version(bool(extra))
        fields = (_CREATED_ON_UNIX | version, version, self._flags, self.method, _TIME, _DATE)
        attributes = (_REGULAR_FILE | self.mode) << 16
        lengths = (len(self._name), len(extra), 0, 0, 0, attributes, offset)
        sizes = (self.crc, compressed_size, size)
        return _CENTRAL.pack(b"PK\x01\x02", *fields, *sizes, *lengths) + self._name + extra


def end_of_central_directory(count: int, offset: int, size: int) -> bytes:
    """The records that close an archive.

    Args:
        count: number of entries.
        offset: where the central directory starts, in bytes.
        size: length of the central directory, in bytes.
    """
    wide = b""
    if count >= 0xFFFF or offset >= ZIP64_LIMIT or size >= ZIP64_LIMIT:
        version = _version(True)
        rest = (_CREATED_ON_UNIX | version, version, 0, 0, count, count, size, offset)
        wide = _END64.pack(b"PK\x06\x06", _END64.size - 12, *rest)
        wide += _LOCATOR64.pack(b"PK\x06\x07", 0, offset + size, 1)
    short_count = min(count, 0xFFFF)
    sizes = (ZIP64_MARKER, ZIP64_MARKER) if wide else (size, offset)
    return wide + _END.pack(b"PK\x05\x06", 0, 0, short_count, short_count, *sizes, 0)


def _version(wide: bool) -> int:
    """Version needed to extract: 4.5 with 64-bit fields, 2.0 without."""
    return 45 if wide else 20
