# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes wheels: same members, same bytes, on any machine and with any number of threads."""

from __future__ import annotations

import hashlib
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from . import zipfile_format as fmt
from .deflate import BLOCK_SIZE, check_compressor, deflate_block
from .jobs import DEFAULT_JOBS
from .members import Member, order_members
from .record import SIGNATURES, RecordRow, encode_hash, render_record

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
    compress: bool = True,
    jobs: int = DEFAULT_JOBS,
) -> None:
    """Write a wheel with a new RECORD.

    The file appears under its name only when complete. A RECORD among the members is replaced and
    its signatures are dropped, since they no longer hold. Memory in use is a few blocks a thread,
    whatever the size of the files.

    Args:
        output: the wheel to write.
        members: everything in it, in any order.
        dist_info: name of its `.dist-info` folder.
        compress: deflate; otherwise store.
        jobs: threads that deflate. Does not change the bytes.

    Raises:
        MemberPathError: a path is unsafe or occurs twice.
        CompressorError: the compressor is not the pinned one.
    """
    check_compressor()
    record_path = f"{dist_info}/RECORD"
    dropped = {record_path, *(f"{dist_info}/{name}" for name in SIGNATURES)}
    ordered = order_members((m for m in members if m.path not in dropped), dist_info)
    partial = output.with_name(output.name + ".partial")
    try:
        with partial.open("w+b") as stream, ThreadPoolExecutor(jobs) as pool:
            archive = _Archive(stream, pool, jobs, compress)
            rows = [archive.add(member) for member in ordered]
            rows.append(RecordRow(record_path, "", ""))
            archive.add(Member(record_path, render_record(rows).encode("utf-8")))
            archive.close()
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)


class _Archive:
    """An archive being written to a seekable stream."""

    def __init__(
        self, stream: BinaryIO, pool: ThreadPoolExecutor, jobs: int, compress: bool
    ) -> None:
        self._stream = stream
        self._pool = pool
        self._window = 2 * jobs
        self._compress = compress
        self._entries: list[fmt.EntryHeader] = []

    def add(self, member: Member) -> RecordRow:
        """Append one file and return its row of RECORD."""
        size = _size(member)
        digest = hashlib.sha256()
        header = fmt.EntryHeader(
            path=member.path,
            method=fmt.DEFLATED if self._compress and size else fmt.STORED,
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
            crc = zlib.crc32(block.raw, crc)
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
            pending.append((block, self._pool.submit(deflate_block, block, previous, final=final)))
            if len(pending) > self._window:
                raw, future = pending.popleft()
                yield _Block(raw, future.result())
        while pending:
            raw, future = pending.popleft()
            yield _Block(raw, future.result())


def _size(member: Member) -> int:
    if isinstance(member.source, bytes):
        return len(member.source)
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
    with member.source.open("rb") as stream:
        while chunk := stream.read(BLOCK_SIZE):
            yield chunk
