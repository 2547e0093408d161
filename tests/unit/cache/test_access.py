# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Password files: what is written, what is refused, who reads with which."""

from __future__ import annotations

import base64
import hashlib
import os
import threading
from pathlib import Path

import pytest

from tools.cache import access, errors
from tools.cache.folder import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "run").mkdir()
    return Folder(str(tmp_path))


def test_hash_is_sha1_of_password_and_salt_with_the_salt_behind() -> None:
    line = access.hashed("secret", b"12345678")
    assert line.startswith("{SSHA}")
    raw = base64.b64decode(line[len("{SSHA}") :])
    assert raw == hashlib.sha1(b"secret12345678").digest() + b"12345678"


def test_password_without_a_given_one_is_long_and_new(tmp_path: Path) -> None:
    path = str(tmp_path / "writers")
    first, second = (access.set_password(path, "ci", None) for _ in range(2))
    assert first != second
    assert len(first) >= 40
    assert (tmp_path / "writers").stat().st_mode & 0o777 == 0o600


def test_password_of_a_user_replaces_the_old_and_keeps_others(tmp_path: Path) -> None:
    path = tmp_path / "writers"
    path.write_text("# ours\nother:{SSHA}x\nci:old\n")
    access.set_password(str(path), "ci", "p" * 24)
    first, second, third = path.read_text().splitlines()
    assert (first, second) == ("# ours", "other:{SSHA}x")
    assert third.startswith("ci:{SSHA}")


@pytest.mark.parametrize("password", ["", "p" * 23, "p" * 30 + " ", "p" * 30 + "\0", "ä" * 30])
def test_password_that_will_not_do_is_refused(tmp_path: Path, password: str) -> None:
    with pytest.raises(errors.OptionError) as caught:
        access.set_password(str(tmp_path / "writers"), "ci", password)
    assert str(caught.value) == (
        f"the password has {len(password)} characters; it needs 24 or more, all of them ASCII, no "
        "blank\n"
        "  hint: leave `--password-stdin` out and a random one is made"
    )
    assert not (tmp_path / "writers").exists()


def test_user_with_colon_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.OptionError, match="`a:b` is no name for a user"):
        access.set_password(str(tmp_path / "writers"), "a:b", None)


def test_passwords_set_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    path = str(tmp_path / "writers")
    threads = [
        threading.Thread(target=access.set_password, args=(path, f"user{index}", None))
        for index in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    users = [line.partition(":")[0] for line in (tmp_path / "writers").read_text().splitlines()]
    assert sorted(users) == sorted(f"user{index}" for index in range(20))
    assert [entry.name for entry in tmp_path.iterdir()] == ["writers"]


def test_password_file_keeps_its_mode_its_link_and_bytes_of_others(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"# \xff\n")
    real.chmod(0o640)
    link.symlink_to(real)
    access.set_password(str(link), "ci", None)
    assert link.is_symlink()
    assert real.read_bytes().startswith(b"# \xff\nci:{SSHA}")
    assert real.stat().st_mode & 0o777 == 0o640


def test_password_file_that_is_a_device_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(errors.OptionError) as caught:
        access.set_password(str(path), "ci", None)
    assert str(caught.value) == (
        f"`{path}` is no file of passwords\n  hint: name a plain file, or one to be made"
    )
    assert path.is_fifo()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "`--writers`: `FILE` cannot be read: No such file or directory"),
        ("", "`--writers`: `FILE` names no user"),
        ("ci:x\nplain\n", "`--writers`: line 2 of `FILE` is not `user:hash`"),
        (":x\n", "`--writers`: line 1 of `FILE` is not `user:hash`"),
    ],
)
def test_password_file_that_cannot_be_used_is_named(
    tmp_path: Path, text: str | None, message: str
) -> None:
    path = tmp_path / "writers"
    if text is not None:
        path.write_text(text)
    with pytest.raises(errors.OptionError) as caught:
        access.read_users("--writers", str(path))
    assert caught.value.message == message.replace("FILE", str(path))
    assert f"tools/cache/serve htpasswd {path} USER" in caught.value.hint


def test_set_password_in_a_folder_that_is_absent_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(errors.OptionError) as caught:
        access.set_password(str(tmp_path / "none/writers"), "ci", None)
    assert str(caught.value) == (
        f"`{tmp_path}/none` is no folder, so no password file can be in it\n"
        f"  hint: make it: mkdir -p -m 700 {tmp_path}/none"
    )


def test_install_lets_writers_read(tmp_path: Path, folder: Folder) -> None:
    writers, readers = tmp_path / "w", tmp_path / "r"
    writers.write_text("ci:1\n")
    readers.write_text("# people\ndev:2\n")
    access.install(folder, str(writers), str(readers))
    assert (tmp_path / "run/writers").read_text() == "ci:1\n"
    assert (tmp_path / "run/readers").read_text() == "ci:1\ndev:2\n"


def test_install_without_readers_makes_no_such_file(tmp_path: Path, folder: Folder) -> None:
    (tmp_path / "w").write_text("ci:1\n")
    access.install(folder, str(tmp_path / "w"), None)
    assert not (tmp_path / "run/readers").exists()


def test_install_with_a_broken_file_leaves_the_copies(tmp_path: Path, folder: Folder) -> None:
    (tmp_path / "w").write_text("ci:1\n")
    (tmp_path / "r").write_text("dev:2\n")
    access.install(folder, str(tmp_path / "w"), str(tmp_path / "r"))
    (tmp_path / "w").write_text("new:3\n")
    (tmp_path / "r").write_text("broken\n")
    with pytest.raises(errors.OptionError):
        access.install(folder, str(tmp_path / "w"), str(tmp_path / "r"))
    assert (tmp_path / "run/writers").read_text() == "ci:1\n"
