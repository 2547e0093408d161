# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What goes when a cache is full: the least recently used. Pure, but for the look at the disk."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from typing import NamedTuple

LOW_MARK = 0.9
"""Cleaning goes down to this part of the limit, so that it is seldom needed."""

FREE_PART = 20
FREE_MOST = 10**9
"""A twentieth of the disk, at most a gigabyte, is kept free whatever the limit."""


class Entry(NamedTuple):
    """An action result or a blob.

    Attributes:
        path: absolute path of its file.
        size: bytes.
        used: seconds since the epoch of its last use.
    """

    path: str
    size: int
    used: float


def entries(folder: str) -> Iterator[Entry]:
    """Every file below a folder, used when its modification time says."""
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            try:
                status = os.stat(path)
            except FileNotFoundError:
                continue  # cleaned or replaced meanwhile
            yield Entry(path, status.st_size, status.st_mtime)


def reserve(total: int) -> int:
    """Bytes of a disk of `total` bytes that are kept free."""
    return min(total // FREE_PART, FREE_MOST)


def is_nearly_full(folder: str) -> bool:
    """Whether less than half of what is kept free is left on a folder's disk."""
    disk = shutil.disk_usage(folder)
    return disk.free < reserve(disk.total) // 2


def limit(folder: str, most: int, used: int) -> int:
    """Bytes that the entries may take: what is allowed, or less where the disk is smaller.

    Args:
        folder: the cache's folder.
        most: bytes allowed.
        used: bytes that the entries take now.
    """
    disk = shutil.disk_usage(folder)
    return max(0, min(most, used + disk.free - reserve(disk.total)))


def choose(found: Iterable[Entry], most: int, oldest: float) -> list[Entry]:
    """The entries that go, least recently used first.

    Args:
        found: all entries.
        most: bytes they may take. If they take more, they are brought down to the low mark.
        oldest: what was not used since goes anyway; seconds since the epoch.
    """
    by_use = sorted(found, key=lambda entry: (entry.used, entry.path))
    total = sum(entry.size for entry in by_use)
    wanted = most if total <= most else int(most * LOW_MARK)
    chosen = []
    for entry in by_use:
        if total <= wanted and entry.used >= oldest:
            break
        chosen.append(entry)
        total -= entry.size
    return chosen


class Outcome(NamedTuple):
    """What one cleaning did.

    Attributes:
        removed: number of entries removed.
        freed: their bytes.
        kept: bytes that are left.
    """

    removed: int
    freed: int
    kept: int

    def __str__(self) -> str:
        return (
            f"removed {self.removed} entries of {self.freed / 1e6:.1f} MB, "
            f"kept {self.kept / 1e6:.1f} MB"
        )
