# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a wheel into its facts: every byte once, memory independent of the size of its files."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..archive.errors import BadArchiveError
from ..archive.jobs import DEFAULT_JOBS
from ..archive.reader import MAX_RECORD, WheelReader, open_wheel
from ..archive.record import ALGORITHMS, SIGNATURES, RecordRow, encode_hash, parse_record
from ..elf.elf_file import ElfFile
from ..elf.reader import ELF_MAGIC, read_elf
from ..fatbin.image import DeviceCode
from ..fatbin.reader import read_device_code
from .build_paths import BuildPaths
from .facts import RecordProblem, WheelFacts
from .metadata import read_metadata

#: An ELF file up to this size is parsed in memory, a bigger one in a temporary file.
_SPOOL = 16 << 20
#: Files under .dist-info up to this size are kept as text.
_TEXT_LIMIT = 1 << 20


def read_wheel(
    path: Path,
    *,
    unpack: Path | None = None,
    build_paths: bool = True,
    jobs: int = DEFAULT_JOBS,
) -> WheelFacts:
    """Read a wheel.

    Args:
        path: the wheel.
        unpack: folder to leave the ELF files in, each where it is in the wheel. Default: nowhere.
        build_paths: whether to look for paths of a build machine, a tenth of the time.
        jobs: threads that inflate and hash.

    Raises:
        WheelNameError: the file has no wheel name.
        BadArchiveError: it cannot be read as an archive, or lacks METADATA, WHEEL or RECORD.
        MemberPathError: an entry would land outside the target folder, or occurs twice.
        RecordError: RECORD is no table of path, hash and size.
        BadElfError: an ELF file inside is damaged.
    """
    with open_wheel(path) as wheel:
        dist_info = wheel.dist_info
        record_path = f"{dist_info}/RECORD"
        rows = parse_record(wheel.read_text(record_path, MAX_RECORD), where=record_path)
        metadata = read_metadata(
            wheel.read_text(f"{dist_info}/METADATA"), wheel.read_text(f"{dist_info}/WHEEL")
        )
        contents = _Members(wheel, rows, unpack, build_paths).read(jobs)
        unhashed = {record_path, *(f"{dist_info}/{name}" for name in SIGNATURES)}
        problems = [
            problem
            for member, content in contents.items()
            if member not in unhashed
            for problem in _compare(member, rows.get(member), content)
        ]
        problems += [
            RecordProblem(member, "is listed in RECORD and not in the archive")
            for member in sorted(set(rows) - set(contents))
        ]
        return WheelFacts(
            name=wheel.name,
            size=path.stat().st_size,
            entries=wheel.entries,
            hashes={
                member: content.hash
                for member, content in contents.items()
                if member not in unhashed
            },
            record_problems=tuple(problems),
            metadata=metadata,
            elf_files={
                member: content.elf
                for member, content in contents.items()
                if content.elf is not None
            },
            device_code={
                member: content.device_code
                for member, content in contents.items()
                if content.device_code.images or content.device_code.problems
            },
            build_paths={
                member: content.build_paths
                for member, content in contents.items()
                if content.build_paths
            },
            texts=dict(_texts(wheel)),
            archive_problems=wheel.problems,
            dist_info=dist_info,
        )


def list_paths(path: Path) -> frozenset[str]:
    """The paths of a wheel's files, from the archive's directory alone.

    Raises:
        WheelNameError, BadArchiveError, MemberPathError: as `read_wheel`.
    """
    with open_wheel(path) as wheel:
        return frozenset(wheel.paths)


@dataclass(frozen=True)
class _Content:
    hash: str
    size: int
    elf: ElfFile | None
    build_paths: tuple[str, ...]
    device_code: DeviceCode


@dataclass(frozen=True)
class _Members:
    """The files of a wheel, and what is wanted of them."""

    wheel: WheelReader
    rows: dict[str, RecordRow]
    unpack: Path | None
    build_paths: bool

    def read(self, jobs: int) -> dict[str, _Content]:
        """Every file's content by path, in archive order; the biggest files are started first."""
        order = sorted(self.wheel.entries, key=lambda entry: -entry.size)
        with ThreadPoolExecutor(jobs) as pool:
            futures = {entry.path: pool.submit(self._read, entry.path) for entry in order}
            try:
                return {path: futures[path].result() for path in self.wheel.paths}
            finally:
                for future in futures.values():
                    future.cancel()

    def _read(self, path: str) -> _Content:
        row = self.rows.get(path)
        algorithm = row.hash.partition("=")[0] if row else ""
        digest = hashlib.new(algorithm if algorithm in ALGORITHMS else "sha256")
        build_paths = BuildPaths()
        size = 0
        chunks = self.wheel.chunks(path)
        chunk = next(chunks, b"")
        is_elf = chunk.startswith(ELF_MAGIC)
        with (
            _copy(self.unpack / path if self.unpack else None) if is_elf else nullcontext() as copy
        ):
            while chunk:
                digest.update(chunk)
                size += len(chunk)
                if copy is not None:
                    copy.write(chunk)
                    if self.build_paths:
                        build_paths.scan(chunk)
                chunk = next(chunks, b"")
            elf = read_elf(copy, path) if copy is not None else None
            code = read_device_code(copy, elf.sections) if copy and elf else DeviceCode(())
        encoded = encode_hash(digest.digest(), digest.name)
        return _Content(encoded, size, elf, build_paths.found, code)


def _copy(target: Path | None) -> IO[bytes]:
    """A file for an ELF file's content: seeking in a deflated entry would inflate it anew."""
    if target is None:
        return tempfile.SpooledTemporaryFile(_SPOOL)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target.open("x+b")


def _compare(member: str, row: RecordRow | None, content: _Content) -> Iterator[RecordProblem]:
    if row is None:
        yield RecordProblem(member, "is not listed in RECORD")
    elif (row.hash, row.size) != (content.hash, str(content.size)):
        stated = [row.hash or "no hash", f"{row.size} bytes" if row.size else "no size"]
        yield RecordProblem(
            member,
            f"is {content.hash}, {content.size} bytes; RECORD says {', '.join(stated)}",
        )


def _texts(wheel: WheelReader) -> Iterator[tuple[str, str]]:
    """Small files of the `.dist-info` folder, those that are UTF-8 text."""
    for entry in wheel.entries:
        if entry.path.startswith(wheel.dist_info + "/") and entry.size <= _TEXT_LIMIT:
            try:
                yield entry.path, wheel.read_text(entry.path)
            except BadArchiveError as error:
                if not isinstance(error.__cause__, UnicodeDecodeError):
                    raise
