# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the server programs come from, and what they see."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.cache import errors, programs
from tools.cache.folder import Folder
from tools.cache.programs import Root
from tools.launcher import errors as launcher_errors
from tools.launcher.host import Host

HOST = Host(1000, "u", "/home/u", "/home/u/.cache/tilewright", "/", None, "/w")


def fake_nginx(folder: Path, options: str) -> None:
    program = folder / "nginx"
    program.write_text(f"#!/bin/sh\necho 'configure arguments: {options}' >&2\n")
    program.chmod(0o755)


def test_nginx_of_the_machine_is_taken_with_its_modules(tmp_path: Path) -> None:
    fake_nginx(tmp_path, "--with-http_ssl_module --with-http_dav_module")
    assert programs.nginx_on_path(str(tmp_path)) == str(tmp_path / "nginx")


def test_nginx_without_dav_module_is_passed_over(tmp_path: Path) -> None:
    fake_nginx(tmp_path, "--with-http_ssl_module")
    assert programs.nginx_on_path(str(tmp_path)) is None


def test_no_nginx_is_none(tmp_path: Path) -> None:
    assert programs.nginx_on_path(str(tmp_path)) is None


def test_sandbox_shows_the_cache_and_the_root_only(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "bin").symlink_to("usr/bin")
    cache = tmp_path / "cache"
    cache.mkdir()
    command = programs.sandbox(Root(str(root), "/usr/bin/bwrap", HOST), Folder(str(cache)), ["/p"])
    assert command[0] == "/usr/bin/bwrap"
    assert {"--die-with-parent", "--unshare-pid", "--clearenv"} < set(command)
    binds = [
        (command[index], command[index + 2])
        for index, word in enumerate(command)
        if word in ("--bind", "--ro-bind")
    ]
    assert binds == [
        ("--ro-bind", "/usr"),
        ("--ro-bind", "/etc"),
        ("--bind", "/proc"),
        ("--bind", "/tmp"),
        ("--bind", "/dev/shm"),
        ("--ro-bind", "/p"),
        ("--bind", str(cache)),
    ]
    assert command[command.index("/bin") - 1] == "usr/bin"


def test_sandbox_of_root_gives_up_its_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(Folder, "owner", (65534, 65533))
    command = programs.sandbox(Root("/r", "/usr/bin/bwrap", HOST), Folder(str(tmp_path)))
    assert command[command.index("--") + 1 :] == [
        *("setpriv", "--reuid=65534", "--regid=65533", "--clear-groups", "--")
    ]


def test_ancestors_go_from_the_top() -> None:
    assert programs.ancestors("/a/b/c") == ["/a", "/a/b"]
    assert programs.ancestors("/a") == []


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (f"run: sudo x ; or {launcher_errors.BAZELISK_HINT}", "run: sudo x; install nginx"),
        (
            f"install mmdebstrap, or {launcher_errors.BAZELISK_HINT}",
            "install mmdebstrap; install nginx",
        ),
        (launcher_errors.BAZELISK_HINT, "install nginx"),
        ("run: apt", "run: apt; install nginx"),
    ],
)
def test_hint_of_the_launcher_loses_its_word_on_bazel(hint: str, expected: str) -> None:
    error = launcher_errors.LauncherError("no", hint)
    assert programs.without_bazelisk(error, "install nginx") == expected


def test_openssl_of_the_machine_that_is_absent_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(errors.ProgramError) as caught:
        programs.openssl(None, Folder(str(tmp_path)), ["req"], b"")
    assert str(caught.value) == (
        "`openssl` not found, which makes and reads certificates\n"
        "  hint: install openssl with your package manager"
    )


def test_openssl_gets_its_input_and_gives_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "openssl"
    program.write_text('#!/bin/sh\necho "$1"\n/bin/cat\necho to people >&2\nexit 3\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = programs.openssl(None, Folder(str(tmp_path)), ["x509"], b"certificate\n")
    assert answer == (3, "x509\ncertificate\nto people")
