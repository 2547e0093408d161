# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Password files: what is written, what is refused, who reads with which."""

from __future__ import annotations

import base64
import hashlib
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


@pytest.mark.parametrize("password", ["p" * 23, "p" * 30 + " "])
def test_password_too_short_or_with_a_blank_is_refused(tmp_path: Path, password: str) -> None:
    with pytest.raises(errors.OptionError) as caught:
        access.set_password(str(tmp_path / "writers"), "ci", password)
    assert str(caught.value) == (
        f"the password has {len(password)} characters; it needs 24, no blank\n"
        "  hint: leave `--password-stdin` out and a random one is made"
    )
    assert not (tmp_path / "writers").exists()


def test_user_with_colon_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.OptionError, match="`a:b` is no name for a user"):
        access.set_password(str(tmp_path / "writers"), "a:b", None)


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
