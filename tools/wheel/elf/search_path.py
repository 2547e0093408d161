# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Entries of DT_RPATH and DT_RUNPATH, seen from the folder that wheels are installed into."""

from __future__ import annotations

from pathlib import PurePosixPath

_ORIGIN = ("$ORIGIN", "${ORIGIN}")


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
