# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads wheels that anyone may have made: no entry is believed before it is checked."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from .content import checked_chunks
from .directory import ArchiveProblem, read_directory
from .entry import Entry
from .errors import BadArchiveError
from .members import ArchivedFile, check_path, check_tree
from .names import WheelName, parse_wheel_name
from .zipfile_format import DEFLATED, STORED

_ENCRYPTED = 0x1

#: Most bytes of a metadata file, and of RECORD; they are read whole.
MAX_TEXT, MAX_RECORD = 2 << 20, 16 << 20

#: What deflate cannot exceed: 258 bytes from 2 bits, and a byte of header.
_MAX_DEFLATE_RATIO = 1032

#: PyPI refuses archives that inflate to more than this, and to this many times their own size.
#: https://github.com/pypi/warehouse/blob/main/warehouse/forklift/legacy.py
_BOMB_SIZE, _BOMB_RATIO = 64 << 20, 50


@dataclass(frozen=True)
class WheelReader:
    """An open wheel whose entries have been checked. Threads may share it."""

    name: WheelName
    #: How the archive stores each file, in archive order. Folders are left out.
    entries: tuple[Entry, ...]
    #: Where the archive is not as package indexes want it.
    problems: tuple[ArchiveProblem, ...]
    _file: BinaryIO

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Path of every file, in archive order."""
        return tuple(self._by_path)

    @cached_property
    def executables(self) -> frozenset[str]:
        """Those that the archive says to run: installers make them executable."""
        return frozenset(entry.path for entry in self.entries if entry.executable)

    @cached_property
    def dist_info(self) -> str:
        """Name of the one `.dist-info` folder.

        Raises:
            BadArchiveError: there is none, or there are several.
        """
        tops = {path.partition("/")[0] for path in self.paths if "/" in path}
        folders = sorted(top for top in tops if top.endswith(".dist-info"))
        if len(folders) != 1:
            found = f"several: {', '.join(folders)}" if folders else "none"
            raise BadArchiveError(
                f"`{self.name}` must have one `.dist-info` folder, and has {found}",
                hint=f"rebuild the wheel; installers look for `{self.name.dist_info}`",
            )
        return folders[0]

    def entry(self, path: str) -> Entry:
        """How the archive stores one file."""
        return self._by_path[path]

    def chunks(self, path: str) -> Iterator[bytes]:
        """The content of one file, in chunks of at most 1 MiB.

        Raises:
            BadArchiveError: at the end, when size or checksum is not what the archive says.
        """
        return checked_chunks(self._file.fileno(), self._by_path[path])

    def archived(self, path: str, content_hash: str) -> ArchivedFile:
        """One file as content of another wheel.

        Args:
            path: which one.
            content_hash: RECORD's hash of its content.
        """
        return ArchivedFile(self._by_path[path], content_hash, self._file)

    def read_text(self, path: str, limit: int = MAX_TEXT) -> str:
        """The content of one metadata file.

        Args:
            path: which one.
            limit: most bytes that it may have.

        Raises:
            BadArchiveError: the file is absent, too big or not UTF-8.
        """
        entry = self._by_path.get(path)
        if entry is None:
            raise BadArchiveError(
                f"`{self.name}` has no `{path}`",
                hint="rebuild the wheel with its metadata; name and folder must agree",
            )
        if entry.size > limit:
            raise BadArchiveError(
                f"`{path}` in `{self.name}` has {entry.size} bytes, the limit is {limit}",
                hint="rebuild the wheel; metadata is read whole",
            )
        try:
            return b"".join(self.chunks(path)).decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadArchiveError(
                f"`{path}` in `{self.name}` is not UTF-8: {error}",
                hint="rebuild the wheel; metadata is UTF-8 text",
            ) from error

    def extract(self, path: str, target: Path) -> None:
        """Write one file to `target`, which must not exist; its folder is made."""
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as output:
            for chunk in self.chunks(path):
                output.write(chunk)

    @cached_property
    def _by_path(self) -> dict[str, Entry]:
        return {entry.path: entry for entry in self.entries}


@contextmanager
def open_wheel(path: Path) -> Iterator[WheelReader]:
    """Open a wheel for reading.

    Raises:
        WheelNameError: the file has no wheel name.
        BadArchiveError: it is no zip archive or an ambiguous one, it would inflate to more than
            any index takes, or an entry is a link, encrypted or oddly compressed.
        MemberPathError: an entry would land outside the target folder, occurs twice, or is the
            folder of another.
    """
    with _open(path) as file:
        name = parse_wheel_name(path.name)
        directory = read_directory(file, str(path))
        entries = tuple(entry for entry in directory.entries if _check_entry(entry, path))
        check_tree((entry.path for entry in entries), where=f"`{path}`")
        _check_total(entries, path)
        yield WheelReader(name, entries, directory.problems, file)


def _open(path: Path) -> BinaryIO:
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is no regular file")
        return path.open("rb")
    except OSError as error:
        raise BadArchiveError(
            f"cannot read `{path}`: {error}", hint="give the path of an existing, complete wheel"
        ) from error


def _check_entry(entry: Entry, archive: Path) -> bool:
    """Refuse what no tool may touch; says whether the entry is a file."""
    check_path(entry.path.removesuffix("/"))
    where = f"`{entry.path}` in `{archive}`"
    if entry.file_type not in (0, stat.S_IFDIR if entry.is_folder else stat.S_IFREG):
        raise BadArchiveError(
            f"{where} is not a regular file", hint="wheels hold no links; ship the file itself"
        )
    if entry.flags & _ENCRYPTED or entry.method not in (STORED, DEFLATED):
        raise BadArchiveError(
            f"{where} is encrypted, or compressed by method {entry.method}",
            hint="rebuild the wheel with stored or deflated entries",
        )
    most = entry.compressed_size * (_MAX_DEFLATE_RATIO if entry.method == DEFLATED else 1)
    if entry.size > most or (entry.method == STORED and entry.size != most):
        raise BadArchiveError(
            f"{where} claims {entry.size} bytes, which its {entry.compressed_size} in the archive "
            "cannot hold",
            hint="fetch or build the wheel again",
        )
    if entry.is_folder and entry.size:
        raise BadArchiveError(f"{where} is a folder with content", hint="rebuild the wheel")
    return not entry.is_folder


def _check_total(entries: tuple[Entry, ...], archive: Path) -> None:
    total = sum(entry.size for entry in entries)
    size = archive.stat().st_size
    if total > max(_BOMB_SIZE, _BOMB_RATIO * size):
        raise BadArchiveError(
            f"`{archive}` has {size} bytes and inflates to {total}, more than {_BOMB_RATIO} times "
            "as much",
            hint="no index takes such an archive; leave out files that are mostly zeros",
        )
