# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The command line of `serve`: what it asks for, exit codes, words."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest

from tools.cache import cli, errors

SERVE = os.path.join(os.path.dirname(os.path.abspath(cli.__file__)), "serve")

NGINX = ["nginx", "--root", "/srv/cache", "--listen", "[::]:8443", "--writers", "w"]


def test_server_options_have_defaults() -> None:
    options = cli.options_of(cli.parser().parse_args([*NGINX, "--self-signed"]))
    assert options.root == "/srv/cache"
    assert str(options.listen) == "[::]:8443"
    assert options.writers == os.path.abspath("w")
    assert (options.readers, options.tls, options.self_signed) == (None, None, True)
    assert (options.max_size, options.max_entry) == (50 * 10**9, 0)


@pytest.mark.parametrize(
    "arguments",
    [
        NGINX,
        [*NGINX, "--plaintext", "--self-signed"],
        ["nginx", "--root", "/srv/cache", "--listen", "[::]:8443", "--plaintext"],
        ["memcached"],
        [],
    ],
)
def test_server_without_transport_or_writers_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2


def test_htpasswd_prints_a_line_for_netrc(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "writers")
    assert cli.main(["htpasswd", path, "ci", "--machine", "cache.example"]) == 0
    words = capfd.readouterr().out.split()
    assert words[:5] == ["machine", "cache.example", "login", "ci", "password"]
    assert len(words[5]) >= 40


def test_serve_without_password_file_names_it_and_makes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "cache"
    arguments = ["--root", str(root), "--listen", "127.0.0.1:1025", "--plaintext"]
    writers = str(tmp_path / "writers")
    assert cli.main(["nginx", *arguments, "--writers", writers]) == 2
    assert capfd.readouterr().err == (
        f"tilewright: `--writers`: `{writers}` cannot be read: No such file or directory\n"
        f"  hint: make it: tools/cache/serve htpasswd {writers} USER\n"
    )
    assert not root.exists()


@pytest.mark.parametrize("name", ["", "a,DNS:b", "x\ny", "bü.example", "host:1", "-x"])
def test_name_that_is_none_is_refused(capfd: pytest.CaptureFixture[str], name: str) -> None:
    assert cli.main([*NGINX, "--self-signed", f"--name={name}"]) == 2
    assert cli.main(["htpasswd", "/nowhere/file", "ci", f"--machine={name}"]) == 2
    hint = "  hint: give it as clients write it between `https://` and the port: cache.example\n"
    assert capfd.readouterr().err == "".join(
        f"tilewright: `{option}` is `{name}`, which is no host name or address\n{hint}"
        for option in ("--name", "--machine")
    )


def test_bound_of_an_entry_is_for_nginx_alone(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.parser().parse_args(["buildgrid", *NGINX[1:], "--plaintext", "--max-entry", "1G"])
    assert "unrecognized arguments: --max-entry 1G" in capfd.readouterr().err
    arguments = cli.parser().parse_args([*NGINX, "--plaintext", "--max-entry", "1G"])
    assert cli.options_of(arguments).max_entry == 10**9


def test_folder_that_is_a_file_is_told_with_the_next_step(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["clean", "--root", str(tmp_path / "file/x")]) == 3
    assert capfd.readouterr().err == (
        f"tilewright: `{tmp_path}/file/x`: Not a directory\n"
        "  hint: give the path of a folder or file that can be used, as root or as its owner\n"
    )


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "make room on the disk, or give `--root` a larger one"),
        (errno.EPIPE, "keep standard output open, or send it to a file"),
    ],
)
def test_error_of_the_system_has_its_next_step(number: int, hint: str) -> None:
    explained = errors.FolderError.of(OSError(number, "word"))
    assert str(explained) == f"word\n  hint: {hint}"
    assert explained.exit_code == 3


def test_clean_whose_word_nobody_can_receive_says_so(tmp_path: Path) -> None:
    (tmp_path / "kind").write_text("nginx\n")
    (tmp_path / "data").mkdir()
    command = [SERVE, "clean", "--root", str(tmp_path)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        3,
        "tilewright: No space left on device\n"
        "  hint: make room on the disk, or give `--root` a larger one\n",
    )


def test_clean_of_another_folder_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious").write_text("")
    assert cli.main(["clean", "--root", str(tmp_path), "--max-size", "1"]) == 3
    assert f"`{tmp_path}` is no cache's folder" in capfd.readouterr().err
    assert (tmp_path / "precious").exists()


def test_clean_of_an_nginx_folder_says_what_it_did(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kind").write_text("nginx\n")
    blob = tmp_path / "data/cas/ab/cd"
    blob.parent.mkdir(parents=True)
    blob.write_bytes(b"x" * 2_000_000)
    assert cli.main(["clean", "--root", str(tmp_path), "--max-size", "1M"]) == 0
    assert capfd.readouterr().out == "removed 1 entries of 2.0 MB, kept 0.0 MB\n"
    assert not blob.exists()
