# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The log of reads becomes marks of use."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tools.cache.nginx import usage


@pytest.fixture(autouse=True)
def no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


def test_used_names_each_entry_once_and_passes_over_the_rest() -> None:
    digest = "ab" * 32
    lines = [f"/cas/{digest}\n", f"/cas/{digest}\n", f"/ac/{digest}\n", "/x\n", f"/cas/{digest}/\n"]
    assert list(usage.used(lines)) == [("cas", digest), ("ac", digest)]


def put(tmp_path: Path, digest: str) -> Path:
    path = tmp_path / "data/cas" / digest[:2] / digest[2:]
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x")
    os.utime(path, (1000.0, 1000.0))
    return path


def test_apply_marks_and_takes_the_log_away(tmp_path: Path) -> None:
    digest = "ab" * 32
    path = put(tmp_path, digest)
    (tmp_path / usage.LOG).write_text(f"/cas/{digest}\n")
    sent: list[signal.Signals] = []
    usage.apply(str(tmp_path), str(tmp_path / "data"), sent.append)
    assert path.stat().st_mtime > 1000
    assert sent == [signal.SIGUSR1]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data"]


def test_apply_without_uses_leaves_the_log_to_nginx(tmp_path: Path) -> None:
    (tmp_path / usage.LOG).write_text("")
    usage.apply(str(tmp_path), str(tmp_path / "data"), lambda _: pytest.fail("a signal"))
    assert (tmp_path / usage.LOG).exists()


def test_apply_finishes_what_a_killed_run_had_taken(tmp_path: Path) -> None:
    digest = "ab" * 32
    path = put(tmp_path, digest)
    (tmp_path / (usage.LOG + ".taken")).write_text(f"/cas/{digest}\n")
    usage.apply(str(tmp_path), str(tmp_path / "data"), lambda _: pytest.fail("a signal"))
    assert path.stat().st_mtime > 1000
