# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The folder of a cache: what is made, what is refused, who holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.cache import errors, folder


@pytest.fixture(autouse=True)
def ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)


def test_new_folder_is_for_its_kind_and_closed_to_others(tmp_path: Path) -> None:
    made = folder.prepare(str(tmp_path), "nginx")
    assert made.kind() == "nginx"
    for name in ("data", "incoming", "run", "run/tmp", "tls"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o700, name


def test_folder_of_another_kind_is_refused(tmp_path: Path) -> None:
    folder.prepare(str(tmp_path), "nginx")
    with pytest.raises(errors.FolderError) as caught:
        folder.check(str(tmp_path), "buildgrid")
    assert str(caught.value) == (
        f"`{tmp_path}` is the folder of a cache served by nginx\n"
        "  hint: run `serve nginx` on it, or give `serve buildgrid` a folder of its own"
    )


def test_folder_with_something_else_is_refused_and_left(tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("")
    with pytest.raises(errors.FolderError, match="it has `thesis`"):
        folder.check(str(tmp_path), "nginx")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis"]


def test_second_run_keeps_entries_and_drops_half_uploads(tmp_path: Path) -> None:
    folder.prepare(str(tmp_path), "nginx")
    for name in ("data/blob", "incoming/0001", "run/nginx.conf", "reserve"):
        (tmp_path / name).write_text("x")
    folder.prepare(str(tmp_path), "nginx")
    assert (tmp_path / "data/blob").exists()
    assert not (tmp_path / "incoming/0001").exists()
    assert not (tmp_path / "run/nginx.conf").exists()
    assert not (tmp_path / "reserve").exists(), "a start on a full disk needs the room"


def test_reserve_takes_room_and_keeps_it(tmp_path: Path) -> None:
    made = folder.Folder(str(tmp_path))
    for _ in range(2):
        folder.reserve_space(made)
        assert 0 < (tmp_path / "reserve").stat().st_size <= 16 * 10**6


def test_root_serves_no_folder_that_is_roots_since_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kind").write_text("nginx\n")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(folder.Folder, "owner", (0, 0))
    with pytest.raises(errors.FolderError, match="belongs to root, as whom no server runs"):
        folder.prepare(str(tmp_path), "nginx")


def test_lock_is_held_once(tmp_path: Path) -> None:
    with (
        folder.locked(str(tmp_path), "lock", "taken", "wait"),
        pytest.raises(errors.FolderError, match="taken"),
        folder.locked(str(tmp_path), "lock", "taken", "wait"),
    ):
        pass
    with folder.locked(str(tmp_path), "lock", "taken", "wait"):
        pass


@pytest.mark.parametrize("path", ["/srv/my cache", "/srv/a;b", "/srv/$x", "/srv/{x}"])
def test_path_with_a_meaning_for_nginx_is_refused(path: str) -> None:
    with pytest.raises(errors.OptionError, match="with characters that mean something"):
        folder.absolute("--root", path)


def test_path_is_made_absolute() -> None:
    assert folder.absolute("--root", "/srv/../srv/cache") == "/srv/cache"
