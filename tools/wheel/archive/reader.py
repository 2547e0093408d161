# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads wheels that anyone may have made: no entry is believed before it is checked."""

from __future__ import annotations

import hashlib
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .entry import Entry
from .errors import BadArchiveError, RecordError
from .members import check_path, check_tree
from .names import WheelName, parse_wheel_name
from .record import ALGORITHMS, SIGNATURES, encode_hash, parse_record

_CHUNK = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_ANY_EXECUTE = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


@dataclass(frozen=True)
class WheelReader:
    """An open wheel whose entries have been checked."""

    name: WheelName
    #: Path of every file, in archive order. Folder entries are left out.
    paths: tuple[str, ...]
    _archive: zipfile.ZipFile

    @property
    def entries(self) -> tuple[Entry, ...]:
        """How the archive stores each file, in archive order."""
        return tuple(Entry.of(self._archive.getinfo(path)) for path in self.paths)

    @property
    def executables(self) -> frozenset[str]:
        """Paths of the files that installers make executable."""
        return frozenset(entry.path for entry in self.entries if entry.mode & _ANY_EXECUTE)

    @contextmanager
    def open(self, path: str) -> Iterator[IO[bytes]]:
        """The content of one file as a seekable stream."""
        try:
            with self._archive.open(path) as stream:
                yield stream
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise BadArchiveError(
                f"`{path}` in `{self._archive.filename}` is damaged: {error}",
                hint="fetch or build the wheel again",
            ) from error

    def read_text(self, path: str) -> str:
        """The content of one metadata file.

        Raises:
            BadArchiveError: the file is absent or is not UTF-8.
        """
        if path not in self.paths:
            raise BadArchiveError(
                f"`{self._archive.filename}` has no `{path}`",
                hint="rebuild the wheel with its metadata; name and folder must agree",
            )
        with self.open(path) as stream:
            content = stream.read()
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadArchiveError(
                f"`{path}` in `{self._archive.filename}` is not UTF-8: {error}",
                hint="rebuild the wheel; metadata is UTF-8 text",
            ) from error

    def hash(self, path: str, algorithm: str = "sha256") -> tuple[str, int]:
        """RECORD's hash of one file, and its size in bytes."""
        digest = hashlib.new(algorithm)
        size = 0
        with self.open(path) as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
        return encode_hash(digest.digest(), algorithm), size

    def check_record(self) -> dict[str, str]:
        """Compare RECORD with the content.

        Returns:
            The hash of every file, RECORD and its signatures left out.

        Raises:
            RecordError: a file is missing from RECORD, absent from the archive, or differs.
        """
        dist_info = self.name.dist_info
        record_path = f"{dist_info}/RECORD"
        rows = parse_record(self.read_text(record_path), where=record_path)
        unhashed = {record_path, *(f"{dist_info}/{name}" for name in SIGNATURES)}
        hint = "rebuild the wheel; a file was changed after RECORD was written"
        hashes: dict[str, str] = {}
        for path in self.paths:
            if path in unhashed:
                continue
            row = rows.get(path)
            if row is None:
                raise RecordError(f"`{path}` is not listed in `{record_path}`", hint=hint)
            algorithm = row.hash.partition("=")[0]
            found, size = self.hash(path, algorithm if algorithm in ALGORITHMS else "sha256")
            if (row.hash, row.size) != (found, str(size)):
                raise RecordError(
                    f"`{path}` is {found}, {size} bytes; `{record_path}` says {row.hash}, "
                    f"{row.size} bytes",
                    hint=hint,
                )
            hashes[path] = found
        absent = sorted(set(rows) - set(self.paths))
        if absent:
            raise RecordError(f"`{record_path}` lists absent file `{absent[0]}`", hint=hint)
        return hashes

    def extract(self, folder: Path) -> None:
        """Write every file under `folder`, which must exist and be empty."""
        for path in self.paths:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with self.open(path) as stream, target.open("xb") as output:
                shutil.copyfileobj(stream, output, _CHUNK)


@contextmanager
def open_wheel(path: Path) -> Iterator[WheelReader]:
    """Open a wheel for reading.

    Raises:
        WheelNameError: the file has no wheel name.
        BadArchiveError: it is no zip archive, or an entry is a link, encrypted or oddly compressed.
        MemberPathError: an entry would land outside the target folder, occurs twice, or is the
            folder of another.
    """
    name = parse_wheel_name(path.name)
    with _open_archive(path) as archive:
        yield WheelReader(name, _checked_paths(archive), archive)


def _open_archive(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise BadArchiveError(
            f"cannot read `{path}`: {error}", hint="give the path of an existing, complete wheel"
        ) from error


def _checked_paths(archive: zipfile.ZipFile) -> tuple[str, ...]:
    paths = []
    for info in archive.infolist():
        if info.is_dir():
            check_path(info.filename.removesuffix("/"))
            continue
        check_path(info.filename)
        where = f"`{info.filename}` in `{archive.filename}`"
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise BadArchiveError(
                f"{where} is not a regular file", hint="wheels hold no links; ship the file itself"
            )
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
            raise BadArchiveError(
                f"{where} is encrypted, or compressed by method {info.compress_type}",
                hint="rebuild the wheel with stored or deflated entries",
            )
        paths.append(info.filename)
    check_tree(paths, where=f"`{archive.filename}`")
    return tuple(paths)
