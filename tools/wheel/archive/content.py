# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads the content of a file in an archive: in chunks, checked, from any thread.

Stricter than the standard library's `zipfile`: data that goes on after the deflate stream, or a
stream that does not end, is an error. Faster, too: zlib-ng inflates.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from zlib_ng import zlib_ng

from .entry import Entry
from .errors import BadArchiveError
from .zipfile_format import DEFLATED

#: Bytes read from the archive at a time, and most bytes inflated at a time.
_READ, _INFLATE = 256 << 10, 1 << 20
_RAW = -15


def raw_chunks(file: int, entry: Entry) -> Iterator[bytes]:
    """The data of an entry as the archive stores it.

    Args:
        file: descriptor of the archive.
        entry: which one.
    """
    offset, left = entry.offset, entry.compressed_size
    while left:
        chunk = os.pread(file, min(left, _READ), offset)
        if not chunk:
            raise _damaged(entry, "the archive ends within it")
        offset += len(chunk)
        left -= len(chunk)
        yield chunk


def checked_chunks(file: int, entry: Entry) -> Iterator[bytes]:
    """The content of an entry, no chunk over 1 MiB.

    Args:
        file: descriptor of the archive.
        entry: which one.

    Raises:
        BadArchiveError: at the end, when size or checksum is not what the archive says.
    """
    raw = raw_chunks(file, entry)
    crc = size = 0
    for chunk in _inflated(raw, entry) if entry.method == DEFLATED else raw:
        crc = zlib_ng.crc32(chunk, crc)
        size += len(chunk)
        if size > entry.size:
            raise _damaged(entry, f"it goes on after its {entry.size} bytes")
        yield chunk
    if size != entry.size:
        raise _damaged(entry, f"it has {size} bytes, the archive says {entry.size}")
    if crc != entry.crc:
        raise _damaged(entry, f"its checksum is {crc:08x}, the archive says {entry.crc:08x}")


def _inflated(raw: Iterator[bytes], entry: Entry) -> Iterator[bytes]:
    inflater = zlib_ng.decompressobj(_RAW)
    try:
        for data in raw:
            if inflater.eof:
                raise _damaged(entry, "data follows the end of its deflate stream")
            while data:
                chunk = inflater.decompress(data, _INFLATE)
                if chunk:
                    yield chunk
                data = inflater.unconsumed_tail
        # Output that did not fit when the last input was taken.
        while not inflater.eof and (chunk := inflater.decompress(b"", _INFLATE)):
            yield chunk
    except zlib_ng.error as error:  # type: ignore[misc]  # a value in its stub
        raise _damaged(entry, str(error)) from error
    if not inflater.eof:
        raise _damaged(entry, "its deflate stream does not end")
    if inflater.unused_data:
        raise _damaged(entry, "data follows the end of its deflate stream")


def _damaged(entry: Entry, how: str) -> BadArchiveError:
    return BadArchiveError(
        f"`{entry.path}` is damaged: {how}", hint="fetch or build the wheel again"
    )
