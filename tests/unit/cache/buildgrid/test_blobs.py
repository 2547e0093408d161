# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Cleaning BuildGrid's blobs, with an index that is a dict."""

from __future__ import annotations

import fnmatch
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from tools.cache.buildgrid import blobs
from tools.cache.buildgrid.valkey import Client, Reply
from tools.cache.clean import Entry, Outcome

YEARS = 10.0**9


class Index:
    """What cleaning asks of valkey."""

    def __init__(self) -> None:
        self.ages: dict[str, float] = {}
        self.results: dict[str, bytes] = {}

    def keys(self, pattern: str) -> Iterator[bytes]:
        names = [*self.ages, *self.results]
        return iter([name.encode() for name in fnmatch.filter(names, pattern)])

    def call(self, *words: str | bytes) -> Reply:
        command, *keys = (word.decode() if isinstance(word, bytes) else word for word in words)
        if command == "TTL":
            return blobs.LIFETIME - self.ages[keys[0]]
        if command == "GET":
            return self.results[keys[0]]
        assert command == "DEL"
        for key in keys:
            self.ages.pop(key, None)
            self.results.pop(key, None)
        return len(keys)

    def pipeline(self, commands: Sequence[Sequence[str | bytes]]) -> list[Reply]:
        return [self.call(*words) for words in commands]


def shrink(tmp_path: Path, index: Index, most: int, age: float = YEARS) -> Outcome:
    return blobs.shrink(str(tmp_path), cast("Client", index), most, age)


@pytest.fixture(autouse=True)
def large_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.cache.clean.limit", lambda _folder, most, _used: most)


def put(tmp_path: Path, index: Index | None, letter: str, age: float) -> Path:
    digest = letter * 64
    path = tmp_path / "blobs/cas/objects" / digest[:2] / digest[2:]
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * 10)
    written = time.time() - age
    os.utime(path, (written, written))
    if index is not None:
        index.ages[f"A:{digest}_10"] = age
    return path


def test_key_names_digest_and_size() -> None:
    assert blobs.split_key("A:abc_12") == ("abc", 12)
    assert blobs.split_key("A:total_size") is None
    assert blobs.split_key("action-cache.abc_12") is None


def test_shrink_takes_the_least_recently_used_and_its_key(tmp_path: Path) -> None:
    index = Index()
    old = put(tmp_path, index, "a", 900)
    new = put(tmp_path, index, "b", 10)
    os.utime(new, (1.0, 1.0))  # the index's word counts, not the file's
    assert shrink(tmp_path, index, 15).removed == 1
    assert (old.exists(), new.exists()) == (False, True)
    assert [key[2:4] for key in index.ages] == ["bb"]


def test_shrink_drops_results_whose_message_went(tmp_path: Path) -> None:
    index = Index()
    put(tmp_path, index, "a", 900)
    put(tmp_path, index, "b", 10)
    for letter in "ab":
        index.results[f"action-cache.{letter}_1"] = b"\x0a\x40" + letter.encode() * 64 + b"\x10\x0a"
    shrink(tmp_path, index, 15)
    assert list(index.results) == ["action-cache.b_1"]


def test_orphan_goes_below_the_limit_unless_it_is_young(tmp_path: Path) -> None:
    index = Index()
    known = put(tmp_path, index, "a", 9000)
    orphan = put(tmp_path, None, "b", 9000)
    young = put(tmp_path, None, "c", 60)
    assert shrink(tmp_path, index, 1000).removed == 1
    assert [path.exists() for path in (known, orphan, young)] == [True, False, True]


def test_shrink_by_age_uses_the_index(tmp_path: Path) -> None:
    index = Index()
    old = put(tmp_path, index, "a", 7200)
    assert shrink(tmp_path, index, 1000, 3600).removed == 1
    assert not old.exists()


def test_digest_is_folder_and_name() -> None:
    assert blobs.digest_of("/x/ab/cdef") == "abcdef"
    assert blobs.dated([Entry("/x/ab/cd", 1, 5.0)], {"abcd": ("k", 7.0)}, 10.0) == [
        Entry("/x/ab/cd", 1, 7.0)
    ]
