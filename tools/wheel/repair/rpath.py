# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Library search paths, seen from the folder that a wheel is installed into."""

from __future__ import annotations

import posixpath
from collections.abc import Container
from pathlib import PurePosixPath

from ..archive.names import installed_path
from ..elf.elf_file import ElfFile
from ..elf.search_path import WheelFolders, is_relative, is_stub, search_folder
from .errors import RpathError


def resolve_entry(elf: ElfFile, entry: str) -> PurePosixPath:
    """The folder below site-packages that a search path entry names.

    Raises:
        RpathError: the entry does not start at `$ORIGIN`, climbs out of site-packages, or leads to
            libraries for linking alone.
    """
    if not is_relative(entry):
        raise RpathError(
            f"`{elf.path}` has search path entry {entry!r}, which is not relative to the file",
            hint="link with an RPATH that starts with `$ORIGIN`, or with none",
        )
    if is_stub(entry):
        raise RpathError(
            f"`{elf.path}` has search path entry {entry!r}, where libraries have no code and serve "
            "for linking alone",
            hint="link with `-L` for this folder, and without an RPATH to it",
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


def dead_entries(elf: ElfFile, folders: WheelFolders) -> tuple[str, ...]:
    """The search path entries of a file that lead nowhere once the wheel is installed, each once.

    They start at `$ORIGIN`, and lead out of site-packages or to a folder that is not there.

    Args:
        elf: the file.
        folders: those of its wheel.
    """
    place = installed_path(elf.path)
    entries = dict.fromkeys((*elf.rpath, *elf.runpath))
    return tuple(
        entry
        for entry in entries
        if place and is_relative(entry) and not is_stub(entry) and _is_dead(place, entry, folders)
    )


def _is_dead(place: PurePosixPath, entry: str, folders: WheelFolders) -> bool:
    folder = search_folder(place, entry)
    return folder is None or folders.lacks(folder)


def check_rpath(elf: ElfFile, dropped: Container[str] = ()) -> None:
    """Refuse search paths that mean something else on another machine.

    Args:
        elf: the file.
        dropped: entries that it will not have.

    Raises:
        RpathError: an entry is empty, absolute, for linking alone, or leaves site-packages.
    """
    for entry in (*elf.rpath, *elf.runpath):
        if entry not in dropped:
            resolve_entry(elf, entry)
