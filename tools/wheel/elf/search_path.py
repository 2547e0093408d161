# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Entries of DT_RPATH and DT_RUNPATH, seen from the folder that wheels are installed into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..archive.names import installed_path

_ORIGIN = ("$ORIGIN", "${ORIGIN}")


@dataclass(frozen=True)
class WheelFolders:
    """The folders below site-packages that a wheel has files in."""

    folders: frozenset[PurePosixPath]
    #: Those directly below site-packages that have files of no other wheel.
    own: frozenset[str]

    @classmethod
    def of(cls, paths: Iterable[str], libs: str) -> WheelFolders:
        """The folders of a wheel.

        Args:
            paths: its files.
            libs: its folder of libraries that were copied in.
        """
        places = [place for path in paths if (place := installed_path(path))]
        # A folder without `__init__.py`, such as `nvidia`, may have parts in other packages.
        own = {place.parts[0] for place in places if place.parts[1:] == ("__init__.py",)}
        folders = {parent for place in places for parent in place.parents}
        return cls(frozenset(folders), frozenset({*own, libs}))

    @property
    def tops(self) -> frozenset[str]:
        """Names of those directly below site-packages."""
        return self.own | {folder.parts[0] for folder in self.folders if folder.parts}

    def lacks(self, folder: PurePosixPath) -> bool:
        """Whether a folder is nowhere: not in this wheel, where no other can bring it.

        Args:
            folder: the folder, below site-packages.
        """
        if folder in self.folders or not folder.parts:
            return False
        return folder.parts[0] in self.own or any(map(_is_of_bazel, folder.parts))


def _is_of_bazel(part: str) -> bool:
    """Whether a folder is one of those that Bazel links programs against, and no package has."""
    return part.startswith("_solib_") or part.endswith(".runfiles")


def is_stub(entry: str) -> bool:
    """Whether an entry has the libraries that only a linker may see."""
    return "stubs" in PurePosixPath(entry).parts


def is_relative(entry: str) -> bool:
    """Whether an entry starts at the file's own folder."""
    return entry.split("/")[0] in _ORIGIN


def search_folder(place: PurePosixPath, entry: str) -> PurePosixPath | None:
    """The folder below site-packages that a search path entry of an installed file names.

    Args:
        place: the file, below site-packages.
        entry: one entry of DT_RPATH or DT_RUNPATH.

    Returns:
        None where the entry is not relative to the file, or leaves site-packages.
    """
    if not is_relative(entry):
        return None
    parts = list(place.parent.parts)
    for part in entry.split("/")[1:]:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return PurePosixPath(*parts)
