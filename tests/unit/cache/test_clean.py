# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What goes when a cache is full, and in which order."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import pytest

from tools.cache import clean
from tools.cache.clean import Entry

NEVER = 0.0


def paths(chosen: list[Entry]) -> list[str]:
    return [entry.path for entry in chosen]


def test_choose_below_the_limit_keeps_all() -> None:
    assert clean.choose([Entry("a", 50, 1.0), Entry("b", 50, 2.0)], 100, NEVER) == []


def test_choose_above_the_limit_goes_down_to_the_low_mark_oldest_first() -> None:
    found = [Entry(name, 10, used) for name, used in (("new", 9.0), ("old", 1.0), ("mid", 5.0))]
    found += [Entry(f"n{index}", 10, 10.0) for index in range(8)]
    assert paths(clean.choose(found, 100, NEVER)) == ["old", "mid"]


def test_choose_with_an_age_takes_what_is_older_even_below_the_limit() -> None:
    found = [Entry("old", 1, 1.0), Entry("new", 1, 9.0)]
    assert paths(clean.choose(found, 100, 5.0)) == ["old"]


def test_choose_of_equal_use_is_by_path() -> None:
    assert paths(clean.choose([Entry("b", 9, 1.0), Entry("a", 9, 1.0)], 10, NEVER)) == ["a"]


def test_choose_with_no_room_takes_all() -> None:
    assert paths(clean.choose([Entry("a", 9, 1.0), Entry("b", 9, 2.0)], 0, NEVER)) == ["a", "b"]


@pytest.mark.parametrize(
    ("total", "free", "used", "expected"),
    [
        (10**12, 5 * 10**11, 10**9, 50 * 10**9),  # a large disk: what is allowed
        (20 * 10**6, 0, 19 * 10**6, 18 * 10**6),  # a full one: a twentieth is freed
        (10**11, 0, 3 * 10**8, 0),  # full of other things
        (10**12, 10**9, 30 * 10**9, 30 * 10**9),  # the reserve is a gigabyte at most
    ],
)
def test_limit_keeps_a_part_of_the_disk_free(
    monkeypatch: pytest.MonkeyPatch, total: int, free: int, used: int, expected: int
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(total, total - free, free))
    assert clean.limit("/cache", 50 * 10**9, used) == expected


@pytest.mark.parametrize(("free", "expected"), [(0, True), (499_000, True), (501_000, False)])
def test_disk_is_nearly_full_below_half_of_what_is_kept_free(
    monkeypatch: pytest.MonkeyPatch, free: int, expected: bool
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(20_000_000, 0, free))
    assert clean.is_nearly_full("/cache") == expected


def test_entries_are_all_files_below(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_text("1234")
    (found,) = clean.entries(str(tmp_path))
    assert (found.path, found.size) == (str(tmp_path / "a/b/c"), 4)
