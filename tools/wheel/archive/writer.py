# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes wheels: same members, same bytes, on any machine and with any number of threads."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from zlib_ng import zlib_ng

from . import zipfile_format as fmt
from .deflate import BLOCK_SIZE, DEFAULT_LEVEL, check_compressor, deflate_block
from .jobs import DEFAULT_JOBS
from .members import ArchivedFile, Member, order_members
from .record import SIGNATURES, RecordRow, encode_hash, render_record
from .whole_file import whole_file

#: Files from this size on get 64-bit sizes from the start: compressed they might reach the limit.
_WIDE_FROM = 0xF0000000


@dataclass(frozen=True)
class _Block:
    """One block as it was and as it goes into the archive."""

    raw: bytes
    data: bytes


def write_wheel(
    output: Path,
    members: Iterable[Member],
    dist_info: str,
    *,
    level: int = DEFAULT_LEVEL,
    jobs: int = DEFAULT_JOBS,
) -> None:
    """Write a wheel with a new RECORD.

    The file appears under its name only when complete. A RECORD among the members is replaced and
    its signatures are dropped, since they no longer hold. Memory in use is a few blocks a thread,
    whatever the size of the files. What another archive has deflated is copied as it is.

    Args:
        output: the wheel to write.
        members: everything in it, in any order.
        dist_info: name of its `.dist-info` folder.
        level: how hard to deflate, from 1, fast, to 9, small; 0 stores.
        jobs: threads that deflate. Does not change the bytes.

    Raises:
        MemberPathError: a path is unsafe or occurs twice.
        CompressorError: the compressor is not the pinned one.
        OSError: `output` cannot be written.
    """
    check_compressor()
    record_path = f"{dist_info}/RECORD"
    dropped = {record_path, *(f"{dist_info}/{name}" for name in SIGNATURES)}
    ordered = order_members((m for m in members if m.path not in dropped), dist_info)
    with (
        whole_file(output) as partial,
        partial.open("w+b") as stream,
        ThreadPoolExecutor(jobs) as pool,
    ):
        archive = _Archive(stream, pool, jobs, level)
        rows = [archive.add(member) for member in ordered]
        rows.append(RecordRow(record_path, "", ""))
        archive.add(Member(record_path, render_record(rows).encode("utf-8")))
        archive.close()


class _Archive:
    """An archive being written to a seekable stream."""

    def __init__(self, stream: BinaryIO, pool: ThreadPoolExecutor, jobs: int, level: int) -> None:
        self._stream = stream
        self._pool = pool
        self._window = 2 * jobs
        self._level = level
        self._entries: list[fmt.EntryHeader] = []

    def add(self, member: Member) -> RecordRow:
        """Append one file and return its row of RECORD."""
        source = member.source
        if isinstance(source, ArchivedFile) and source.entry.method == fmt.DEFLATED and self._level:
            return self._copy(member, source)
        size = _size(member)
        digest = hashlib.sha256()
        header = fmt.EntryHeader(
            path=member.path,
            method=fmt.DEFLATED if self._level and size else fmt.STORED,
            crc=0,
            compressed_size=0,
            size=size,
            offset=self._stream.tell(),
            mode=member.mode,
            wide=size >= _WIDE_FROM,
        )
        self._stream.write(header.local())
        crc = compressed_size = seen = 0
        for block in self._encode(_blocks(member), deflate=header.method == fmt.DEFLATED):
            digest.update(block.raw)
            crc = zlib_ng.crc32(block.raw, crc)
            seen += len(block.raw)
            data = block.data
            if size <= BLOCK_SIZE and len(data) >= size:
                # A file of one block that deflate only makes longer is stored.
                header = replace(header, method=fmt.STORED)
                data = block.raw
            self._stream.write(data)
            compressed_size += len(data)
        if seen != size:
            raise OSError(f"`{member.source!r:.200}` changed while it was read")
        header = replace(header, crc=crc, compressed_size=compressed_size)
        end = self._stream.tell()
        self._stream.seek(header.offset)
        self._stream.write(header.local())
        self._stream.seek(end)
        self._entries.append(header)
        return RecordRow(member.path, encode_hash(digest.digest()), str(size))

    def _copy(self, member: Member, source: ArchivedFile) -> RecordRow:
        entry = source.entry
        header = fmt.EntryHeader(
            path=member.path,
            method=entry.method,
            crc=entry.crc,
            compressed_size=entry.compressed_size,
            size=entry.size,
            offset=self._stream.tell(),
            mode=member.mode,
            wide=max(entry.size, entry.compressed_size) >= _WIDE_FROM,
        )
        self._stream.write(header.local())
        for chunk in source.raw_chunks():
            self._stream.write(chunk)
        self._entries.append(header)
        return RecordRow(member.path, source.hash, str(entry.size))

    def close(self) -> None:
        """Write the central directory."""
        offset = self._stream.tell()
        directory = b"".join(entry.central() for entry in self._entries)
        self._stream.write(directory)
        count = len(self._entries)
        self._stream.write(fmt.end_of_central_directory(count, offset, len(directory)))

    def _encode(
        self, blocks: Iterator[tuple[bytes, bytes, bool]], *, deflate: bool
    ) -> Iterator[_Block]:
        """Blocks in order, compressed by the pool with a bounded number in flight."""
        if not deflate:
            yield from (_Block(block, block) for block, _, _ in blocks)
            return
        pending: deque[tuple[bytes, Future[bytes]]] = deque()
        for block, previous, final in blocks:
            future = self._pool.submit(
                deflate_block, block, previous, level=self._level, final=final
            )
            pending.append((block, future))
            if len(pending) > self._window:
                raw, future = pending.popleft()
                yield _Block(raw, future.result())
        while pending:
            raw, future = pending.popleft()
            yield _Block(raw, future.result())


def _size(member: Member) -> int:
    if isinstance(member.source, bytes):
        return len(member.source)
    if isinstance(member.source, ArchivedFile):
        return member.source.entry.size
    return member.source.stat().st_size


def _blocks(member: Member) -> Iterator[tuple[bytes, bytes, bool]]:
    """The content as (block, block before it, whether it is the last)."""
    previous = b""
    block = b""
    for following in _chunks(member):
        if block:
            yield block, previous, False
        previous, block = block, following
    yield block, previous, True


def _chunks(member: Member) -> Iterator[bytes]:
    if isinstance(member.source, bytes):
        for start in range(0, len(member.source), BLOCK_SIZE):
            yield member.source[start : start + BLOCK_SIZE]
        return
    if isinstance(member.source, ArchivedFile):
        yield from _blocks_of(member.source.chunks())
        return
    with member.source.open("rb") as stream:
        while chunk := stream.read(BLOCK_SIZE):
            yield chunk


def _blocks_of(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Chunks of any size cut anew: the bytes of a wheel depend on where blocks end."""
    buffer = bytearray()
    for chunk in chunks:
        buffer += chunk
        while len(buffer) >= BLOCK_SIZE:
            yield bytes(buffer[:BLOCK_SIZE])
            del buffer[:BLOCK_SIZE]
    if buffer:
        yield bytes(buffer)
