# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a wheel into its facts: every byte once, memory independent of the size of its files."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..archive.reader import WheelReader, open_wheel
from ..archive.record import ALGORITHMS, SIGNATURES, RecordRow, encode_hash, parse_record
from ..elf.elf_file import ElfFile
from ..elf.reader import ELF_MAGIC, read_elf
from ..fatbin.image import DeviceCode
from ..fatbin.reader import read_device_code
from .facts import RecordProblem, WheelFacts
from .metadata import read_metadata

_CHUNK = 1 << 20
#: An ELF file up to this size is parsed in memory, a bigger one in a temporary file.
_SPOOL = 16 << 20
#: Files under .dist-info up to this size are kept as text.
_TEXT_LIMIT = 1 << 20


def read_wheel(path: Path) -> WheelFacts:
    """Read a wheel.

    Raises:
        WheelNameError: the file has no wheel name.
        BadArchiveError: it cannot be read as an archive, or lacks METADATA, WHEEL or RECORD.
        MemberPathError: an entry would land outside the target folder, or occurs twice.
        RecordError: RECORD is no table of path, hash and size.
        BadElfError: an ELF file inside is damaged.
    """
    with open_wheel(path) as wheel:
        dist_info = wheel.name.dist_info
        record_path = f"{dist_info}/RECORD"
        rows = parse_record(wheel.read_text(record_path), where=record_path)
        metadata = read_metadata(
            wheel.read_text(f"{dist_info}/METADATA"), wheel.read_text(f"{dist_info}/WHEEL")
        )
        unhashed = {record_path, *(f"{dist_info}/{name}" for name in SIGNATURES)}
        hashes: dict[str, str] = {}
        elf_files: dict[str, ElfFile] = {}
        device_code: dict[str, DeviceCode] = {}
        problems = []
        for member in wheel.paths:
            content = _read_member(wheel, member, _algorithm(rows.get(member)))
            if content.elf is not None:
                elf_files[member] = content.elf
            if content.device_code is not None:
                device_code[member] = content.device_code
            if member not in unhashed:
                hashes[member] = content.hash
                problems += _compare(member, rows.get(member), content)
        problems += [
            RecordProblem(member, "is listed in RECORD and not in the archive")
            for member in sorted(set(rows) - set(wheel.paths))
        ]
        return WheelFacts(
            name=wheel.name,
            size=path.stat().st_size,
            entries=wheel.entries,
            hashes=hashes,
            record_problems=tuple(problems),
            metadata=metadata,
            elf_files=elf_files,
            device_code=device_code,
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
    device_code: DeviceCode | None


def _algorithm(row: RecordRow | None) -> str:
    algorithm = row.hash.partition("=")[0] if row else ""
    return algorithm if algorithm in ALGORITHMS else "sha256"


def _read_member(wheel: WheelReader, member: str, algorithm: str) -> _Content:
    digest = hashlib.new(algorithm)
    size = 0
    with wheel.open(member) as stream:
        head = stream.read(len(ELF_MAGIC))
        with _copy_of(head == ELF_MAGIC) as copy:
            chunk = head
            while chunk:
                digest.update(chunk)
                size += len(chunk)
                if copy is not None:
                    copy.write(chunk)
                chunk = stream.read(_CHUNK)
            elf = read_elf(copy, member) if copy is not None else None
            code = read_device_code(copy, elf.sections) if copy is not None and elf else None
    if code is not None and not (code.images or code.problems):
        code = None
    return _Content(encode_hash(digest.digest(), algorithm), size, elf, code)


@contextmanager
def _copy_of(wanted: bool) -> Iterator[IO[bytes] | None]:
    """A seekable file for an ELF file's content: seeking in a deflated entry inflates it again."""
    if not wanted:
        yield None
        return
    with tempfile.SpooledTemporaryFile(max_size=_SPOOL) as copy:
        yield copy


def _compare(member: str, row: RecordRow | None, content: _Content) -> Iterator[RecordProblem]:
    if row is None:
        yield RecordProblem(member, "is not listed in RECORD")
    elif (row.hash, row.size) != (content.hash, str(content.size)):
        yield RecordProblem(
            member,
            f"is {content.hash}, {content.size} bytes; RECORD says {row.hash}, {row.size} bytes",
        )
