# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The command line of `serve`: what it asks for, exit codes, words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.cache import cli

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
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "writers")
    assert cli.main(["htpasswd", path, "ci", "--machine", "cache.example"]) == 0
    words = capsys.readouterr().out.split()
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


def test_clean_of_another_folder_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious").write_text("")
    assert cli.main(["clean", "--root", str(tmp_path), "--max-size", "1"]) == 3
    assert f"`{tmp_path}` is no cache's folder" in capfd.readouterr().err
    assert (tmp_path / "precious").exists()


def test_clean_of_an_nginx_folder_says_what_it_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kind").write_text("nginx\n")
    blob = tmp_path / "data/cas/ab/cd"
    blob.parent.mkdir(parents=True)
    blob.write_bytes(b"x" * 2_000_000)
    assert cli.main(["clean", "--root", str(tmp_path), "--max-size", "1M"]) == 0
    assert capsys.readouterr().out == "removed 1 entries of 2.0 MB, kept 0.0 MB\n"
    assert not blob.exists()
