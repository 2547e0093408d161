# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`SourceTree`: the files that lint looks at."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools.lint.errors import TreeError

NEVER = frozenset((".git", "__pycache__"))


@dataclass(frozen=True)
class SourceTree:
    """A folder, less what its `.gitignore` excludes.

    The disk is read, not git's index: a file is checked before it is added, and git need not be
    there. Only the plain patterns of the root's `.gitignore` count (`name`, `/name`, `*.suffix`,
    each with or without a final slash), and a folder whose own `.gitignore` excludes everything,
    as caches of tools do.

    Attributes:
        root: absolute path of the folder.
    """

    root: Path

    @classmethod
    def at(cls, root: Path) -> SourceTree:
        """The tree at `root`.

        Raises:
            TreeError: there is no such folder.
        """
        if not root.is_dir():
            raise TreeError(f"`{root}` is no folder", "name the root of the tree with --root")
        return cls(root.resolve())

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Paths of all files, relative to the root, sorted. Symbolic links are left out."""
        ignored = _Ignored.read(self.root / ".gitignore")
        found: list[str] = []
        for folder, folders, names in os.walk(self.root):
            relative = os.path.relpath(folder, self.root)
            prefix = "" if relative == "." else relative + "/"
            folders[:] = [
                name
                for name in folders
                if name not in NEVER
                and not ignored(prefix + name)
                and not _excludes_itself(Path(folder) / name)
            ]
            found += [
                prefix + name
                for name in names
                if not ignored(prefix + name) and not (Path(folder) / name).is_symlink()
            ]
        return tuple(sorted(found))

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """Paths of all folders that hold a file, relative to the root, sorted."""
        found: set[str] = set()
        for file in self.files:
            found.update(str(parent) for parent in Path(file).parents)
        return tuple(sorted(found - {"."}))

    def matching(self, *patterns: str) -> Iterator[str]:
        """Files whose base name matches one of the shell `patterns`."""
        for file in self.files:
            name = file.rpartition("/")[2]
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
                yield file

    def contents(self, path: str) -> bytes:
        """The bytes of a file."""
        return (self.root / path).read_bytes()

    def text(self, path: str) -> str:
        """The text of a file; bytes that are not UTF-8 become U+FFFD."""
        return self.contents(path).decode(errors="replace")

    def exists(self, path: str) -> bool:
        """Whether `path`, relative to the root, is a file or folder on the disk."""
        return (self.root / path).exists()


def _excludes_itself(folder: Path) -> bool:
    file = folder / ".gitignore"
    return file.is_file() and "*" in file.read_text().split()


@dataclass(frozen=True)
class _Ignored:
    anchored: tuple[str, ...]
    anywhere: tuple[str, ...]

    @classmethod
    def read(cls, file: Path) -> _Ignored:
        lines = file.read_text().splitlines() if file.exists() else []
        patterns = [line.strip() for line in lines if line.strip() and line[0] not in "#!"]
        return cls(
            tuple(p.strip("/") for p in patterns if p.startswith("/")),
            tuple(p.rstrip("/") for p in patterns if not p.startswith("/")),
        )

    def __call__(self, path: str) -> bool:
        name = path.rpartition("/")[2]
        return any(fnmatch.fnmatchcase(path, p) for p in self.anchored) or any(
            fnmatch.fnmatchcase(name, p) for p in self.anywhere
        )
