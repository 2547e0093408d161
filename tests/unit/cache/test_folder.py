# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The folder of a cache: what is made, what is refused, who holds it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.cache import errors, folder


@pytest.fixture(autouse=True)
def ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)


def make(root: Path, kind: str = "nginx") -> folder.Folder:
    made = folder.claim(str(root), kind)
    folder.prepare(made, kind)
    return made


def test_new_folder_is_for_its_kind_and_closed_to_others(tmp_path: Path) -> None:
    made = make(tmp_path / "new/cache")
    assert made.kind() == "nginx"
    for name in ("data", "incoming", "run", "run/tmp", "tls"):
        assert (tmp_path / "new/cache" / name).stat().st_mode & 0o777 == 0o700, name


def test_folder_that_others_can_write_is_closed_to_them(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    make(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_folder_of_another_kind_is_refused(tmp_path: Path) -> None:
    make(tmp_path)
    with pytest.raises(errors.FolderError) as caught:
        folder.claim(str(tmp_path), "buildgrid")
    assert str(caught.value) == (
        f"`{tmp_path}` is the folder of a cache served by nginx\n"
        "  hint: run `serve nginx` on it, or give `serve buildgrid` a folder of its own"
    )


def test_folder_with_something_else_is_refused_and_left(tmp_path: Path) -> None:
    (tmp_path / "thesis").write_text("")
    with pytest.raises(errors.FolderError, match="it has `thesis`"):
        folder.claim(str(tmp_path), "nginx")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis"]


@pytest.mark.parametrize("part", ["data", "incoming", "run", "tls"])
def test_folder_with_a_part_elsewhere_is_refused(tmp_path: Path, part: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_text("")
    cache = tmp_path / "cache"
    make(cache)
    shutil.rmtree(cache / part)
    (cache / part).symlink_to(elsewhere)
    with pytest.raises(errors.FolderError) as caught:
        make(cache)
    assert str(caught.value) == (
        f"`{cache}/{part}` is a symbolic link, which the server programs cannot follow\n"
        "  hint: put the whole folder where the link leads, and name that with `--root`"
    )
    assert (elsewhere / "precious").exists()


def test_second_run_keeps_entries_and_drops_half_uploads(tmp_path: Path) -> None:
    make(tmp_path)
    for name in ("data/blob", "incoming/0001", "run/nginx.conf", "reserve"):
        (tmp_path / name).write_text("x")
    make(tmp_path)
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
    monkeypatch.setattr(folder.Folder, "kind", lambda _: "nginx")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(folder.Folder, "owner", (0, 0))
    with pytest.raises(errors.FolderError, match="belongs to root, as whom no server runs"):
        folder.claim(str(tmp_path), "nginx")


NOBODY = 65534


@pytest.fixture
def of_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that root serves as `nobody`, who has put links to files of root's into it."""
    monkeypatch.undo()
    try:
        os.chown(tmp_path, NOBODY, NOBODY)
    except OSError:
        pytest.skip("needs root and a second user")
    cache = tmp_path / "closed/cache"
    cache.mkdir(parents=True)
    cache.parent.chmod(0o700)
    os.chown(cache, NOBODY, NOBODY)
    return cache


def test_root_leaves_a_folders_files_to_its_owner(of_nobody: Path) -> None:
    made = make(of_nobody)
    made.write("nginx.conf", b"x")
    with folder.locked(made, "lock", "", ""):
        pass
    owners = {path.name: path.stat().st_uid for path in of_nobody.rglob("*")}
    assert set(owners) == {"data", "incoming", "kind", "lock", "nginx.conf", "run", "tls", "tmp"}
    assert set(owners.values()) == {NOBODY}


def test_root_follows_no_link_of_the_owner_to_what_is_roots(of_nobody: Path) -> None:
    made = make(of_nobody)
    precious = of_nobody.parent.parent / "precious"
    precious.write_text("root's")
    precious.chmod(0o600)
    for name in ("reserve", "run/writers.new", "lock"):
        (of_nobody / name).symlink_to(precious)
    with folder.as_owner(made) as inside:
        folder.reserve_space(inside)
    with pytest.raises(PermissionError) as caught:
        made.write("writers", b"x")
    assert caught.value.filename == f"{of_nobody}/run/writers.new"
    with pytest.raises(OSError, match="Too many levels"), folder.locked(made, "lock", "", ""):
        pass
    assert precious.read_text() == "root's"
    assert precious.stat().st_uid == os.geteuid()


def test_what_is_done_as_the_owner_imports_nothing(tmp_path: Path) -> None:
    digest = "ab" * 32
    for kind in ("ac", "cas"):
        path = tmp_path / "data" / kind / digest[:2] / digest[2:]
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x")
    (tmp_path / "used.log").write_text(f"/ac/{digest}\n")
    (tmp_path / "run").mkdir()
    code = """if True:
        import os, sys
        from tools.cache import cli, folder
        from tools.cache.buildgrid import server as buildgrid
        from tools.cache.nginx import server as nginx
        made = folder.Folder(sys.argv[1])
        before = set(sys.modules)
        nginx.note_usage(made, lambda number: None)
        nginx.begin(made)
        nginx.shrink(made, 0, 0.0)
        folder.reserve_space(made)
        made.write("file", b"")
        folder.prepare(made, "nginx")
        with open(os.path.join(made.run, buildgrid.ACCESS), "w") as stream:
            stream.write('{"port": 1, "password": "x"}')
        assert not buildgrid._answers(made)
        print(set(sys.modules) - before)
    """
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert done.stdout == "set()\n"


def test_lock_is_held_once(tmp_path: Path) -> None:
    made = folder.Folder(str(tmp_path))
    with (
        folder.locked(made, "lock", "taken", "wait"),
        pytest.raises(errors.FolderError, match="taken"),
        folder.locked(made, "lock", "taken", "wait"),
    ):
        pass
    with folder.locked(made, "lock", "taken", "wait"):
        pass


@pytest.mark.parametrize("path", ["/srv/my cache", "/srv/a;b", "/srv/$x", "/srv/{x}"])
def test_path_with_a_meaning_for_nginx_is_refused(path: str) -> None:
    with pytest.raises(errors.OptionError, match="with characters that mean something"):
        folder.absolute("--root", path)


def test_path_is_made_absolute() -> None:
    assert folder.absolute("--root", "/srv/../srv/cache") == "/srv/cache"
