# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The entries of a cache over HTTP: files `ac/ab/cdef...` and `cas/ab/cdef...`.

nginx checks nothing and keeps no order, so both are done here: an action result goes before the
blobs it names, and one whose blobs are gone or have another size (a disk that was full, a machine
that lost power) goes too. A client would believe it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from tools.cache import clean
from tools.cache.nginx import action_result
from tools.cache.nginx.action_result import Digest
from tools.launcher.protobuf import MalformedError

LARGEST_RESULT = 64 * 10**6
"""Bytes. No action result or tree is larger, so a larger one is not read."""

TOUCH_INTERVAL = 600.0
"""Seconds. An entry used again within them is not marked again."""


def path_of(data: str, kind: str, digest: str) -> str:
    """Where an entry lies; `nginx.conf` says the same."""
    return os.path.join(data, kind, digest[:2], digest[2:])


def _read(path: str) -> bytes | None:
    """A small file's content; None if it is gone or too large."""
    try:
        with open(path, "rb") as stream:
            content = stream.read(LARGEST_RESULT + 1)
    except FileNotFoundError:
        return None
    return content if len(content) <= LARGEST_RESULT else None


def named_blobs(data: str, path: str) -> Iterator[Digest]:
    """The blobs that an action result names, with those of its trees.

    Raises:
        MalformedError: it is no action result, or a tree of it is no tree.
    """
    content = _read(path)
    if not content:
        raise MalformedError("it is empty, or gone")
    files, trees = action_result.references(content)
    yield from files
    for tree in trees:
        yield tree
        content = _read(path_of(data, "cas", tree.hash))
        if content is not None:
            yield from action_result.tree_files(content)


def is_whole(data: str, path: str) -> bool:
    """Whether an action result can be believed: all blobs that it names are there, in size."""
    try:
        for blob in named_blobs(data, path):
            if blob.size == 0:
                continue  # a client asks for no empty blob
            if os.stat(path_of(data, "cas", blob.hash)).st_size != blob.size:
                return False
    except (MalformedError, FileNotFoundError):
        return False
    return True


def mark_used(data: str, kind: str, digest: str, now: float) -> None:
    """Notes a use in the modification time; with an action result, of the blobs it names.

    A client that downloads only what it needs asks for the result alone and trusts that the rest
    is there.
    """
    path = path_of(data, kind, digest)
    _touch(path, now)
    if kind == "ac":
        with contextlib.suppress(MalformedError):
            for blob in named_blobs(data, path):
                _touch(path_of(data, "cas", blob.hash), now)


def _touch(path: str, now: float) -> None:
    with contextlib.suppress(FileNotFoundError):
        if os.stat(path).st_mtime < now - TOUCH_INTERVAL:
            os.utime(path, (now, now))


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True


def remove_broken(data: str) -> int:
    """Removes the action results that cannot be believed; returns their number.

    One that is being replaced meanwhile may go as well: a miss, no more.
    """
    return sum(
        _remove(entry.path)
        for entry in clean.entries(os.path.join(data, "ac"))
        if not is_whole(data, entry.path)
    )


def shrink(data: str, most: int, age: float) -> clean.Outcome:
    """Cleans: what was not used for `age` seconds, and the least recently used above `most` bytes.

    The server may run. Action results go first, then those that name a blob about to go, then the
    blobs; one that was used or written since the look is left.
    """
    found = list(clean.entries(data))
    total = sum(entry.size for entry in found)
    chosen = clean.choose(found, clean.limit(data, most, total), time.time() - age)
    results = os.path.join(data, "ac") + os.sep
    blobs = {entry.path: entry for entry in chosen if not entry.path.startswith(results)}
    going = {entry.path: entry for entry in chosen if entry.path.startswith(results)}
    if blobs:
        for entry in found:
            if entry.path.startswith(results) and _names_one_of(data, entry.path, blobs):
                going[entry.path] = entry
    removed = freed = 0
    for entry in (*going.values(), *blobs.values()):
        with contextlib.suppress(FileNotFoundError):
            if os.stat(entry.path).st_mtime == entry.used and _remove(entry.path):
                removed += 1
                freed += entry.size
    return clean.Outcome(removed, freed, total - freed)


def _names_one_of(data: str, path: str, blobs: dict[str, clean.Entry]) -> bool:
    try:
        return any(path_of(data, "cas", blob.hash) in blobs for blob in named_blobs(data, path))
    except MalformedError:
        return True
