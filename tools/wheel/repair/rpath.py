# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Library search paths, seen from the folder that a wheel is installed into."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath

from ..archive.names import installed_path
from ..elf.elf_file import ElfFile
from ..elf.search_path import is_relative, search_folder
from .errors import RpathError


def resolve_entry(elf: ElfFile, entry: str) -> PurePosixPath:
    """The folder below site-packages that a search path entry names.

    Raises:
        RpathError: the entry does not start at `$ORIGIN`, or climbs out of site-packages.
    """
    if not is_relative(entry):
        raise RpathError(
            f"`{elf.path}` has search path entry {entry!r}, which is not relative to the file",
            hint="link with an RPATH that starts with `$ORIGIN`, or with none",
        )
    place = installed_path(elf.path)
    if place is None:
        raise RpathError(
            f"`{elf.path}` has search path entry {entry!r}, but is not installed beside packages",
            hint="put the executable into a package and start it from a console script",
        )
    folder = search_folder(place, entry)
    if folder is None:
        raise RpathError(
            f"`{elf.path}` has search path entry {entry!r}, which leaves site-packages",
            hint=f"the file is {len(place.parts) - 1} folder(s) deep; use no more `..` than that",
        )
    return folder


def relative_entry(place: PurePosixPath, folder: PurePosixPath) -> str:
    """The search path entry that leads from an installed file to a folder below site-packages."""
    way = posixpath.relpath(folder.as_posix(), place.parent.as_posix())
    return "$ORIGIN" if way == "." else f"$ORIGIN/{way}"


def search_folders(elf: ElfFile) -> list[PurePosixPath]:
    """The folders below site-packages where the loader looks for a file's libraries.

    Entries that `check_rpath` refuses are left out.
    """
    folders = []
    for entry in elf.search_path:
        try:
            folders.append(resolve_entry(elf, entry))
        except RpathError:
            continue
    return folders


def check_rpath(elf: ElfFile) -> None:
    """Refuse search paths that mean something else on another machine.

    Raises:
        RpathError: an entry is empty, absolute, or leaves site-packages.
    """
    for entry in (*elf.rpath, *elf.runpath):
        resolve_entry(elf, entry)
