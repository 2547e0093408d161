# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What is looked up about the machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from tools.launcher import errors, host


class Machine(NamedTuple):
    sysname: str
    machine: str


@pytest.mark.parametrize("marker", host.WORKSPACE_MARKERS)
def test_workspace_above_folder_is_found(tmp_path: Path, marker: str) -> None:
    (tmp_path / marker).write_text("")
    (tmp_path / "a/b").mkdir(parents=True)
    assert host.find_workspace(str(tmp_path / "a/b")) == str(tmp_path)


def test_workspace_nested_is_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "inner/sub").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "inner"):
        (folder / "MODULE.bazel").write_text("")
    assert host.find_workspace(str(tmp_path / "inner/sub")) == str(tmp_path / "inner")


@pytest.mark.parametrize(("system", "machine"), [("Darwin", "arm64"), ("Linux", "aarch64")])
def test_inspect_other_machine_fails_and_says_where_to_build(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str
) -> None:
    monkeypatch.setattr(os, "uname", lambda: Machine(system, machine))
    with pytest.raises(errors.UnsupportedHostError, match=f"this is {system} {machine}") as caught:
        host.inspect({}, "/ws")
    assert "in a container of it" in caught.value.hint
    assert "bazelisk" not in caught.value.hint


def test_inspect_cache_setting_moves_the_roots() -> None:
    result = host.inspect({"HOME": "/home/ada", "USER": "ada", "XDG_CACHE_HOME": "/big"}, "/ws")
    assert result.roots == "/big/tilewright/rootfs"


def test_inspect_without_cache_setting_uses_home() -> None:
    result = host.inspect({"HOME": "/usr", "USER": "ada"}, "/ws")
    assert result.roots == "/usr/.cache/tilewright/rootfs"


@pytest.mark.parametrize("home", ["/nonexistent/ada", "/dev/null"])
def test_inspect_home_that_is_no_folder_fails_and_names_the_settings(home: str) -> None:
    with pytest.raises(errors.SettingError, match=f"`HOME` is `{home}`, which is not an") as caught:
        host.inspect({"HOME": home, "USER": "ada"}, "/ws")
    assert "XDG_CACHE_HOME" in caught.value.hint


def test_inspect_empty_home_falls_back_to_the_user_database() -> None:
    result = host.inspect({"HOME": "", "USER": "", "XDG_CACHE_HOME": "/big"}, "/ws")
    assert os.path.isabs(result.home)
    assert result.user


@pytest.mark.parametrize("name", ["HOME", "XDG_CACHE_HOME"])
def test_inspect_relative_folder_fails_and_names_the_variable(name: str) -> None:
    environ = {"HOME": "/home/ada", "USER": "ada", name: "relative"}
    with pytest.raises(errors.SettingError, match=f"`{name}` is `relative`"):
        host.inspect(environ, "/ws")


def test_inspect_deleted_current_folder_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(errors.SettingError, match="no longer exists"):
        host.inspect({"HOME": "/usr", "USER": "ada"}, "/ws")


def test_find_program_ignores_the_callers_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "stray-bwrap"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert host.find_program("stray-bwrap") is None
    assert host.find_program("sh") in ("/usr/bin/sh", "/bin/sh")
