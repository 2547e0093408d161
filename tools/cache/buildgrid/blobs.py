# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The blobs of a BuildGrid cache: files by digest; their index and the action results in valkey.

BuildGrid's own `bgd cleanup` goes through a redis index in no order; here the least recently used
go first. Names of keys and the lifetime are BuildGrid's; `requirements.txt` holds its version.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable

from tools.cache import clean
from tools.cache.buildgrid.valkey import Client

INDEX_PREFIX = "A:"
RESULT_PREFIX = "action-cache."
LIFETIME = 365 * 86400
"""Seconds that an index key gets with each use: what is left of it tells when that was."""

BATCH = 1000
WRITING = 3600.0
"""Seconds. A file that the index does not have yet may be on its way there."""


def split_key(key: str) -> tuple[str, int] | None:
    """Digest and size of the blob that an index key names; None for another key."""
    digest, separator, size = key[len(INDEX_PREFIX) :].rpartition("_")
    if not key.startswith(INDEX_PREFIX) or not separator or not size.isdigit():
        return None
    return digest, int(size)


def last_uses(client: Client, now: float) -> dict[str, tuple[str, float]]:
    """By digest: the index key, and when it was last asked for."""
    keys = sorted({key.decode(errors="replace") for key in client.keys(INDEX_PREFIX + "*")})
    result = {}
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        lives = client.pipeline([("TTL", key) for key in batch])
        for key, left in zip(batch, lives):  # noqa: B905 - Python 3.8
            found = split_key(key)
            if found is not None and isinstance(left, int) and left >= 0:
                result[found[0]] = (key, now - (LIFETIME - left))
    return result


def digest_of(path: str) -> str:
    """The digest of the blob in a file, `.../ab/cdef...`."""
    return os.path.basename(os.path.dirname(path)) + os.path.basename(path)


def dated(
    found: Iterable[clean.Entry], uses: dict[str, tuple[str, float]], now: float
) -> list[clean.Entry]:
    """The entries with the index's word on their use. What it does not know is an orphan.

    An orphan goes first, unless it is so young that it may be on its way into the index.
    """
    result = []
    for entry in found:
        digest = digest_of(entry.path)
        if digest in uses:
            entry = entry._replace(used=uses[digest][1])
        elif entry.used < now - WRITING:
            entry = entry._replace(used=0.0)
        result.append(entry)
    return result


def shrink(data: str, client: Client, most: int, age: float) -> clean.Outcome:
    """Cleans: orphans, what was not used for `age` seconds, and the rest down to `most` bytes.

    BuildGrid may run: it asks the index, from which a blob goes first.
    """
    now = time.time()
    files = os.path.join(data, "blobs", "cas", "objects")
    uses = last_uses(client, now)
    found = dated(clean.entries(files), uses, now)
    total = sum(entry.size for entry in found)
    oldest = max(now - age, 1.0)
    chosen = clean.choose(found, clean.limit(data, most, total), oldest)
    removed = freed = 0
    for start in range(0, len(chosen), BATCH):
        batch = chosen[start : start + BATCH]
        keys = [uses[digest_of(entry.path)][0] for entry in batch if digest_of(entry.path) in uses]
        if keys:
            client.call("DEL", *keys)
        for entry in batch:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(entry.path)
                removed += 1
                freed += entry.size
        if keys:
            client.call("DEL", *keys)  # one that came back meanwhile has no file now
    if chosen:
        _forget_results(client, {digest_of(entry.path) for entry in chosen})
    return clean.Outcome(removed, freed, total - freed)


def _forget_results(client: Client, gone: set[str]) -> None:
    """Drops the action results whose own blobs went; BuildGrid drops others when it is asked."""
    keys = sorted(set(client.keys(RESULT_PREFIX + "*")))
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        values = client.pipeline([("GET", key) for key in batch])
        stale = [
            key
            for key, value in zip(batch, values)  # noqa: B905 - Python 3.8
            # A Digest message: field 1, 64 characters.
            if isinstance(value, bytes) and value[2:66].decode(errors="replace") in gone
        ]
        if stale:
            client.call("DEL", *stale)
