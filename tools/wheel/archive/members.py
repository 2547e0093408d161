# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Members: what goes into a wheel archive, where, and in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from .content import checked_chunks, raw_chunks
from .entry import Entry
from .errors import MemberPathError

_ELF_MAGIC = b"\x7fELF"

#: What Linux can open: bytes of a path and of one part. Bounds the work that a path makes, too.
_MAX_PATH, _MAX_PART, _MAX_PARTS = 4096, 255, 256


@dataclass(frozen=True)
class ArchivedFile:
    """A file of another archive, which stays open."""

    entry: Entry
    #: RECORD's hash of the content, which the caller has read before.
    hash: str
    _archive: BinaryIO

    def chunks(self) -> Iterator[bytes]:
        """The content, checked."""
        return checked_chunks(self._archive.fileno(), self.entry)

    def raw_chunks(self) -> Iterator[bytes]:
        """The data as the archive stores it."""
        return raw_chunks(self._archive.fileno(), self.entry)


@dataclass(frozen=True)
class Member:
    """One file of an archive."""

    #: Path in the archive, POSIX, relative.
    path: str
    #: A file, the content itself, or a file of another archive.
    source: Path | bytes | ArchivedFile
    #: Whether it is to be run, beyond what content and place say.
    executable: bool = False

    def head(self, count: int) -> bytes:
        """The first `count` bytes of the content."""
        if isinstance(self.source, bytes):
            return self.source[:count]
        if isinstance(self.source, ArchivedFile):
            return next(self.source.chunks(), b"")[:count]
        with self.source.open("rb") as stream:
            return stream.read(count)

    @property
    def is_elf(self) -> bool:
        """Whether the content is an ELF file: a shared object, an object or an executable."""
        return self.head(len(_ELF_MAGIC)) == _ELF_MAGIC

    @property
    def mode(self) -> int:
        """Permission bits. Those of the source do not count: file systems and build tools vary."""
        parts = PurePosixPath(self.path).parts
        script = len(parts) > 2 and parts[0].endswith(".data") and parts[1] == "scripts"
        return 0o755 if self.executable or script or self.is_elf else 0o644


def check_path(path: str) -> None:
    """Refuse a path that an installer could resolve outside the target folder.

    Raises:
        MemberPathError: the path is absolute, not normalised, longer or deeper than file systems
            take, or holds a control character.
    """
    parts = path.split("/")
    bad = any(part in ("", ".", "..") for part in parts)
    if bad or "\\" in path or any(ord(character) < 32 or character == "\x7f" for character in path):
        raise MemberPathError(
            f"unsafe path in archive: {path!r}",
            hint="use a relative path with forward slashes and no `.` or `..` parts",
        )
    if (
        len(parts) > _MAX_PARTS
        or _byte_length(path) > _MAX_PATH
        or any(_byte_length(part) > _MAX_PART for part in parts)
    ):
        raise MemberPathError(
            f"path too long in archive: `{path:.60}...` has {_byte_length(path)} bytes in "
            f"{len(parts)} parts",
            hint=f"file systems take {_MAX_PART} bytes a part; keep to {_MAX_PATH} bytes and "
            f"{_MAX_PARTS} parts",
        )


def _byte_length(path: str) -> int:
    return len(path.encode("utf-8", "surrogatepass"))


def check_tree(paths: Iterable[str], *, where: str) -> None:
    """Refuse paths that cannot all be files below one folder.

    Args:
        paths: relative, normalised.
        where: what to call the whole in an error.

    Raises:
        MemberPathError: a path occurs twice, or is the folder of another.
    """
    files: set[str] = set()
    for path in paths:
        if path in files:
            raise MemberPathError(
                f"`{path}` occurs twice in {where}", hint="remove one, or place it elsewhere"
            )
        files.add(path)
    for path in sorted(files):
        end = 0
        while (end := path.find("/", end + 1)) > 0:
            folder = path[:end]
            if folder in files:
                raise MemberPathError(
                    f"`{folder}` in {where} is a file, but `{path}` would lie below it",
                    hint="rename one of them",
                )


def order_members(members: Iterable[Member], dist_info: str) -> list[Member]:
    """Members in archive order: by path, with the `.dist-info` folder last.

    Metadata at the end can be replaced without moving the rest; the wheel specification recommends
    it.

    Raises:
        MemberPathError: a path is unsafe, occurs twice, is the folder of another, or is in the way
            of RECORD, which is written when all else is.
    """
    by_path: dict[str, Member] = {}
    for member in members:
        check_path(member.path)
        if member.path in by_path:
            raise MemberPathError(
                f"two files for `{member.path}`: `{by_path[member.path].source!r:.200}` and "
                f"`{member.source!r:.200}`",
                hint="remove one of them, or place it elsewhere",
            )
        by_path[member.path] = member
    check_tree([*by_path, f"{dist_info}/RECORD"], where="the wheel")
    return sorted(
        by_path.values(), key=lambda member: (member.path.startswith(dist_info + "/"), member.path)
    )
