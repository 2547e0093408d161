# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Entries over HTTP: what a client may believe, and in which order entries go."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tools.cache import clean
from tools.cache.clean import Entry
from tools.cache.nginx import entries

ALWAYS = 10.0**9


@pytest.fixture(autouse=True)
def large_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.cache.clean.limit", lambda _folder, most, _used: most)


def field(number: int, content: bytes) -> bytes:
    return bytes([number << 3 | 2, len(content)]) + content


class Cache:
    """A data folder and the entries in it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        data.mkdir()
        for kind in ("ac", "cas"):
            (data / kind).mkdir()

    def path(self, kind: str, digest: str) -> Path:
        return Path(entries.path_of(str(self.data), kind, digest))

    def put(self, kind: str, digest: str, content: bytes, age: float) -> Path:
        path = self.path(kind, digest)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        used = time.time() - age
        os.utime(path, (used, used))
        return path

    def blob(self, content: bytes, age: float) -> tuple[str, Path]:
        digest = hashlib.sha256(content).hexdigest()
        return digest, self.put("cas", digest, content, age)

    def result(self, name: str, digest: str, size: int, age: float, *, tree: bool = False) -> Path:
        message = field(1, digest.encode()) + bytes([2 << 3, size])
        content = field(3, field(3, message)) if tree else field(2, field(2, message))
        return self.put("ac", hashlib.sha256(name.encode()).hexdigest(), content, age)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "data")


def test_result_with_all_its_blobs_is_whole(cache: Cache) -> None:
    digest, _ = cache.blob(b"out", 0)
    assert entries.is_whole(str(cache.data), str(cache.result("a", digest, 3, 0)))


def test_result_of_an_empty_file_needs_no_blob(cache: Cache) -> None:
    empty = hashlib.sha256(b"").hexdigest()
    assert entries.is_whole(str(cache.data), str(cache.result("a", empty, 0, 0)))


@pytest.mark.parametrize("damage", ["gone", "cut", "no result", "empty result"])
def test_result_that_a_client_must_not_believe_is_removed(cache: Cache, damage: str) -> None:
    digest, blob = cache.blob(b"out", 0)
    result = cache.result("a", digest, 3, 0)
    good = cache.result("b", cache.blob(b"other", 0)[0], 5, 0)
    if damage == "gone":
        blob.unlink()
    elif damage == "cut":
        blob.write_bytes(b"o")
    else:
        result.write_bytes(b"" if damage == "empty result" else b"<html>")
    assert entries.remove_broken(str(cache.data)) == 1
    assert not result.exists()
    assert good.exists()


def test_result_with_a_tree_needs_the_trees_files(cache: Cache) -> None:
    digest, leaf = cache.blob(b"leaf", 0)
    message = field(1, digest.encode()) + bytes([2 << 3, 4])
    tree = bytes([1 << 3 | 2, 76]) + field(1, field(1, b"x") + field(2, message))
    tree_digest, _ = cache.blob(tree[:1] + bytes([len(tree) - 2]) + tree[2:], 0)
    size = cache.path("cas", tree_digest).stat().st_size
    result = cache.result("a", tree_digest, size, 0, tree=True)
    assert entries.is_whole(str(cache.data), str(result))
    leaf.unlink()
    assert not entries.is_whole(str(cache.data), str(result))


def test_use_of_a_result_is_use_of_its_blobs(cache: Cache) -> None:
    digest, blob = cache.blob(b"out", 5000)
    result = cache.result("a", digest, 3, 5000)
    _, other = cache.blob(b"other", 5000)
    now = time.time()
    name = hashlib.sha256(b"a").hexdigest()
    entries.mark_used(str(cache.data), "ac", name, now)
    assert result.stat().st_mtime == pytest.approx(now, abs=1)
    assert blob.stat().st_mtime == pytest.approx(now, abs=1)
    assert other.stat().st_mtime < now - 4000


def test_use_of_what_is_gone_is_passed_over(cache: Cache) -> None:
    entries.mark_used(str(cache.data), "ac", "a" * 64, time.time())


def test_shrink_takes_results_before_the_blobs_they_name(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    unlink = os.unlink

    def noting(path: str) -> None:
        order.append(Path(path).parts[-3])
        unlink(path)

    monkeypatch.setattr("os.unlink", noting)
    old, old_blob = cache.blob(b"o" * 100, 900)
    new, new_blob = cache.blob(b"n" * 100, 10)
    # The result was used last of all, but what it names goes.
    old_result = cache.result("old", old, 100, 0)
    new_result = cache.result("new", new, 100, 10)
    outcome = entries.shrink(str(cache.data), 340, ALWAYS)
    assert order == ["ac", "cas"]
    assert [path.exists() for path in (old_blob, old_result)] == [False, False]
    assert [path.exists() for path in (new_blob, new_result)] == [True, True]
    assert outcome.removed == 2
    assert outcome.kept == sum(entry.stat().st_size for entry in (new_blob, new_result))


def test_shrink_leaves_what_is_used_meanwhile(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, blob = cache.blob(b"x" * 100, 900)
    choose = clean.choose

    def used_before_it_goes(found: Iterable[Entry], most: int, oldest: float) -> list[Entry]:
        chosen = choose(found, most, oldest)
        os.utime(blob)
        return chosen

    monkeypatch.setattr(clean, "choose", used_before_it_goes)
    assert entries.shrink(str(cache.data), 10, ALWAYS).removed == 0
    assert blob.exists()


def test_shrink_by_age_removes_the_unused_below_the_limit(cache: Cache) -> None:
    _, old = cache.blob(b"old", 7200)
    _, new = cache.blob(b"new", 60)
    assert entries.shrink(str(cache.data), 10**9, 3600).removed == 1
    assert (old.exists(), new.exists()) == (False, True)
