# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads the directory of a zip archive, and holds it against the headers before the files.

A zip archive says everything twice: in the central directory at its end, which installers use, and
in a local header before each file, which streaming readers use. Whatever lets the two disagree is a
way to show one file to a scanner and another to an installer, so package indexes refuse it. What
makes the content ambiguous is refused here as well; the rest is reported.

Field layout after PKWARE's APPNOTE 6.3.x, sections 4.3.7 to 4.3.16. The rules are those of PyPI:
https://github.com/pypi/warehouse/blob/main/warehouse/utils/zipfiles.py
"""

from __future__ import annotations

import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from .entry import Entry
from .errors import BadArchiveError
from .zipfile_format import STORED, ZIP64_MARKER

#: Most bytes of a central directory; wheels of 20,000 files have 3 MB. Bounds the memory in use.
MAX_DIRECTORY = 16 << 20

#: General purpose flags: sizes follow the data; the name is UTF-8.
DATA_DESCRIPTOR, UTF8_NAME = 0x8, 0x800

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")

_MAX_COMMENT = 0xFFFF
#: Signature, checksum and two sizes of 64 bits.
_MAX_DESCRIPTOR = 24
_ZIP64_EXTRA, _UNICODE_PATH_EXTRA = 0x0001, 0x7075
_HINT = "fetch the wheel again, or rebuild it with another tool"


@dataclass(frozen=True)
class ArchiveProblem:
    """One irregularity that leaves the content readable."""

    #: Path of the file; "" for the archive as a whole.
    path: str
    what: str


@dataclass(frozen=True)
class Directory:
    """The entries of an archive, folders among them, in the order of the central directory."""

    entries: tuple[Entry, ...]
    problems: tuple[ArchiveProblem, ...]


@dataclass(frozen=True)
class _End:
    """Where the central directory is."""

    offset: int
    size: int
    count: int


@dataclass(frozen=True, slots=True)
class _Central:
    """One record of the central directory."""

    entry: Entry
    name: bytes
    header_offset: int
    problems: tuple[ArchiveProblem, ...]


def read_directory(stream: BinaryIO, where: str) -> Directory:
    """Read the directory of an archive and every local header.

    Args:
        stream: the archive.
        where: what to call it in an error.

    Raises:
        BadArchiveError: it is no zip archive, incomplete, or not to be read in one way alone.
    """
    reader = _Reader(stream, where)
    end, problems = reader.end()
    records = list(reader.central(end))
    entries = []
    position = 0
    previous: Entry | None = None
    local: dict[int, Entry] = {}
    for record in sorted(records, key=lambda record: record.header_offset):
        problems += record.problems
        problems += reader.gap(position, record.header_offset, record.entry.path, previous)
        entry, found = reader.local(record)
        problems += found
        position = entry.offset + entry.compressed_size
        local[record.header_offset] = previous = entry
    problems += reader.gap(position, end.offset, "the central directory", previous)
    entries = [local[record.header_offset] for record in records]
    return Directory(tuple(entries), tuple(dict.fromkeys(problems)))


class _Reader:
    def __init__(self, stream: BinaryIO, where: str) -> None:
        self._stream = stream
        self._where = where
        self._length = stream.seek(0, 2)

    def end(self) -> tuple[_End, list[ArchiveProblem]]:
        """Read the records at the very end."""
        tail_start = max(0, self._length - _END.size - _MAX_COMMENT)
        tail = self._read(tail_start, self._length - tail_start)
        at = len(tail) - _END.size
        if at < 0 or tail[at : at + 4] != b"PK\x05\x06" or tail[-2:] != b"\0\0":
            at = tail.rfind(b"PK\x05\x06")
        if at < 0 or len(tail) - at < _END.size:
            raise self._error("it has no end record: no zip archive, or a truncated one")
        _, disk, start_disk, here, count, size, offset, comment = _END.unpack_from(tail, at)
        start = tail_start + at
        extra = self._length - start - _END.size - comment
        if extra < 0:
            raise self._error("its end record is truncated")
        problems = []
        if extra:
            problems.append(ArchiveProblem("", f"{extra} bytes follow the end of the archive"))
        locator = self._read(start - _LOCATOR64.size, _LOCATOR64.size)
        if locator[:4] == b"PK\x06\x07":
            _, disk, at64, _ = _LOCATOR64.unpack(locator)
            record = self._read(at64, _END64.size)
            if len(record) < _END64.size or record[:4] != b"PK\x06\x06":
                raise self._error("its 64-bit end record is not where the locator says")
            _, length, _, _, _, start_disk, here, count, size, offset = _END64.unpack(record)
            if length != _END64.size - 12 or at64 + 12 + length != start - _LOCATOR64.size:
                raise self._error("its 64-bit end record carries other data")
            start = at64
        if disk or start_disk or here != count:
            raise self._error("it is one volume of several")
        if offset + size != start:
            raise self._error(
                f"its end record puts the central directory at {offset} to {offset + size}, where "
                f"it would have to end at {start}: bytes are missing, or were put before the files"
            )
        if size > MAX_DIRECTORY:
            raise self._error(
                f"its central directory has {size} bytes, the limit is {MAX_DIRECTORY}"
            )
        return _End(offset, size, count), problems

    def central(self, end: _End) -> Iterator[_Central]:
        """Read the central directory."""
        data = self._read(end.offset, end.size)
        at = count = 0
        while at < len(data):
            record, at = self._central_record(data, at)
            count += 1
            yield record
        if count != end.count:
            raise self._error(f"its end record counts {end.count} files, the directory has {count}")

    def _central_record(self, data: bytes, at: int) -> tuple[_Central, int]:
        if data[at : at + 4] != b"PK\x01\x02" or len(data) - at < _CENTRAL.size:
            raise self._error("its central directory is damaged")
        fields = _CENTRAL.unpack_from(data, at)
        flags, method, crc, packed, size = fields[3], fields[4], *fields[7:10]
        name_length, extra_length, comment_length, disk = fields[10:14]
        attributes, offset = fields[15:17]
        name_start = at + _CENTRAL.size
        extra_start = name_start + name_length
        following = extra_start + extra_length + comment_length
        if following > len(data):
            raise self._error("its central directory is truncated")
        name = data[name_start:extra_start]
        path = self._decode(name, flags)
        if disk:
            raise self._error(f"`{path}` is on another volume")
        problems = []
        if comment_length:
            problems.append(ArchiveProblem(path, f"has a comment of {comment_length} bytes"))
        extras, found = self._extras(data[extra_start : extra_start + extra_length], path)
        problems += found
        problems += _unicode_path(extras, path)
        size, packed, offset = self._wide(extras, (size, packed, offset), path)
        mode = attributes >> 16
        entry = Entry(
            path=path,
            size=size,
            compressed_size=packed,
            method=method,
            flags=flags,
            mode=stat.S_IMODE(mode),
            file_type=stat.S_IFMT(mode),
            crc=crc,
        )
        return _Central(entry, name, offset, tuple(problems)), following

    def local(self, record: _Central) -> tuple[Entry, list[ArchiveProblem]]:
        """Read a file's local header; the entry then says where its data is."""
        path = record.entry.path
        header = self._read(record.header_offset, _LOCAL.size)
        if len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
            raise self._error(f"`{path}` has no local header at {record.header_offset}")
        _, _, flags, method, _, _, crc, packed, size, name_length, extra_length = _LOCAL.unpack(
            header
        )
        rest = self._read(record.header_offset + _LOCAL.size, name_length + extra_length)
        name = rest[:name_length]
        if name != record.name:
            raise self._error(f"`{path}` is called {name!r} in its local header")
        extras, problems = self._extras(rest[name_length:], path)
        entry = record.entry
        if not flags & DATA_DESCRIPTOR:
            problems += _unicode_path(extras, path)
            size, packed = self._wide(extras, (size, packed), path)
            wanted = (entry.flags, entry.method, entry.crc, entry.compressed_size, entry.size)
            if (flags, method, crc, packed, size) != wanted:
                problems.append(
                    ArchiveProblem(path, "its local header disagrees with the central directory")
                )
            else:
                problems += _local_sizes(extras.get(_ZIP64_EXTRA), entry)
        offset = record.header_offset + _LOCAL.size + name_length + extra_length
        return replace(entry, offset=offset), problems

    def gap(
        self, position: int, start: int, what: str, previous: Entry | None
    ) -> Iterator[ArchiveProblem]:
        """Hold the end of one file against the start of the next thing."""
        if start < position:
            raise self._error(f"`{what}` starts at {start}, within the file before it")
        streamed = previous is not None and previous.flags & DATA_DESCRIPTOR
        if start - position > (_MAX_DESCRIPTOR if streamed else 0):
            yield ArchiveProblem("", f"{start - position} bytes before `{what}` belong to no file")

    def _decode(self, name: bytes, flags: int) -> str:
        try:
            return name.decode("utf-8" if flags & UTF8_NAME else "ascii")
        except UnicodeDecodeError as error:
            raise self._error(
                f"the file name {name!r} is neither ASCII nor declared and valid UTF-8",
            ) from error

    def _extras(self, data: bytes, path: str) -> tuple[dict[int, bytes], list[ArchiveProblem]]:
        """Extra fields by their id."""
        fields: dict[int, bytes] = {}
        problems = []
        while data:
            if len(data) < 4:
                raise self._error(f"`{path}` has a truncated extra field")
            kind, length = struct.unpack_from("<2H", data)
            if length > len(data) - 4:
                raise self._error(f"`{path}` has a truncated extra field")
            if kind in fields and kind in (_ZIP64_EXTRA, _UNICODE_PATH_EXTRA):
                problems.append(ArchiveProblem(path, f"has extra field {kind:#06x} twice"))
            fields.setdefault(kind, data[4 : 4 + length])
            data = data[4 + length :]
        return fields, problems

    def _wide(self, extras: dict[int, bytes], values: tuple[int, ...], path: str) -> list[int]:
        """Values with those that need 64 bits taken from the extra field, in its order."""
        field = extras.get(_ZIP64_EXTRA, b"")
        result = []
        for value in values:
            if value == ZIP64_MARKER:
                if len(field) < 8:
                    raise self._error(f"`{path}` has no 64-bit size where it needs one")
                (value,) = struct.unpack_from("<Q", field)
                field = field[8:]
            result.append(value)
        return result

    def _read(self, offset: int, count: int) -> bytes:
        if offset < 0:
            return b""
        self._stream.seek(min(offset, self._length))
        return self._stream.read(count)

    def _error(self, what: str) -> BadArchiveError:
        return BadArchiveError(f"cannot read `{self._where}`: {what}", hint=_HINT)


def _local_sizes(field: bytes | None, entry: Entry) -> Iterator[ArchiveProblem]:
    """The 64-bit field of a local header holds both sizes, or nothing; readers may prefer it."""
    if not field:
        return
    if len(field) == 8 and entry.method == STORED:
        packed = field
    elif len(field) in (16, 24, 28):
        packed = field[8:16]
    else:
        yield ArchiveProblem(
            entry.path,
            f"the 64-bit sizes in its local header have {len(field)} bytes, expected 16",
        )
        return
    if int.from_bytes(packed, "little") != entry.compressed_size:
        yield ArchiveProblem(
            entry.path, "the 64-bit sizes in its local header disagree with the central directory"
        )


def _unicode_path(extras: dict[int, bytes], path: str) -> Iterator[ArchiveProblem]:
    """A second name, which some readers prefer to the first."""
    other = extras.get(_UNICODE_PATH_EXTRA)
    if other is not None and other[5:] != path.encode("utf-8"):
        yield ArchiveProblem(path, f"has a second name, {other[5:]!r}")
