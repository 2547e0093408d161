# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tools.toolchains.python.discovery import discover, inspection
from tools.toolchains.python.discovery.discover import Surroundings

RUNNING = ".".join(map(str, sys.version_info[:2]))


def write_shim(folder: Path, target: str) -> None:
    """A `python3` that starts another, as pyenv's does."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "python3").write_text(f'#!/bin/sh\nexec "{target}" "$@"\n')
    (folder / "python3").chmod(0o755)


def look(tmp_path: Path, **fields: Any) -> dict[str, Any]:
    """Looks nowhere but in the given places."""
    where = Surroundings((), (), (), "/nonexistent", ())._replace(**fields)
    return discover.look(where, {"PATH": "/usr/bin:/bin"}, str(tmp_path))


@pytest.mark.parametrize(
    ("folder", "seen"),
    [
        ("/usr/bin", "HOST/bin"),
        ("/usr", "HOST"),
        ("/bin", "HOST/bin"),
        ("/usr/local/bin", "HOST/local/bin"),
        ("/usrlocal/bin", "/usrlocal/bin"),
        ("/home/me/bin", "/home/me/bin"),
    ],
)
def test_seen_from_here_in_a_root_file_system_translates_usr(
    tmp_path: Path, folder: str, seen: str
) -> None:
    assert discover.seen_from_here(folder, tmp_path) == seen.replace("HOST", str(tmp_path))


def test_seen_from_here_on_the_host_keeps_the_folder(tmp_path: Path) -> None:
    assert discover.seen_from_here("/usr/bin", tmp_path / "absent") == "/usr/bin"


def test_surroundings_with_a_host_path_prefer_it() -> None:
    environ = {"TILEWRIGHT_HOST_PATH": "/a:relative:/b:/a", "PATH": "/c", "HOME": "/home/me"}
    where = discover.surroundings(environ, "/usr/bin/python3", "/ws")
    assert where.path == ("/a", "/b")
    assert where.homes == ("/home/me/.pyenv/versions", "/home/me/.local/share/uv/python")
    assert {"/ws/.python-version", "/home/me/.pyenv/version"} <= set(where.watch)
    assert "/home/me/.pyenv/shims/python3.13" in where.watch


def test_surroundings_with_pyenv_elsewhere_look_there_first() -> None:
    environ = {"PATH": "/c", "HOME": "/home/me", "PYENV_ROOT": "/opt/pyenv"}
    where = discover.surroundings(environ, "/usr/bin/python3", "/ws")
    assert where.homes[:2] == ("/opt/pyenv/versions", "/home/me/.pyenv/versions")


def test_version_key_orders_numbers_and_free_threaded_builds() -> None:
    names = ["3.9.18", "3.13.0t", "3.13.0", "3.10.1", "venv"]
    ordered = sorted(names, key=discover.version_key)
    assert ordered == ["venv", "3.9.18", "3.10.1", "3.13.0t", "3.13.0"]


def test_candidates_of_an_installation_folder_come_newest_first(tmp_path: Path) -> None:
    for version in ("3.12.1", "3.12.10", "3.13.0t"):
        folder = tmp_path / version / "bin"
        folder.mkdir(parents=True)
        name = "python3.13t" if version.endswith("t") else "python3.12"
        for program in (name, f"{name}-config", "python3"):
            (folder / program).write_text("")
    where = Surroundings((), (str(tmp_path),), (), "/tool", ())
    paths = [candidate.path for candidate in discover.candidates(where)]
    expected = ["3.13.0t/bin/python3.13t", "3.12.10/bin/python3.12", "3.12.1/bin/python3.12"]
    assert paths == [*(str(tmp_path / path) for path in expected), "/tool"]


def test_candidates_in_a_system_folder_on_path_come_last(tmp_path: Path) -> None:
    own, system = tmp_path / "own", tmp_path / "system"
    (tmp_path / "versions" / "3.12.1" / "bin").mkdir(parents=True)
    (tmp_path / "versions" / "3.12.1" / "bin" / "python3.12").write_text("")
    where = Surroundings(
        (str(system), str(own)), (str(tmp_path / "versions"),), (str(system),), "/tool", ()
    )
    paths = [candidate.path for candidate in discover.candidates(where)]
    ordered = [paths.index(str(system / "python3")), paths.index(str(own / "python3.12"))]
    ordered += [paths.index(str(tmp_path / "versions" / "3.12.1" / "bin" / "python3.12"))]
    ordered += [paths.index(str(system / "python3.12"))]
    assert ordered == sorted(ordered)


def test_look_with_a_shim_first_on_path_makes_its_interpreter_the_default(tmp_path: Path) -> None:
    write_shim(tmp_path / "shims", sys.executable)
    pythons = look(tmp_path, path=(str(tmp_path / "shims"),))
    assert pythons["default"] == RUNNING
    assert pythons["found"][RUNNING]["path"] == sys.executable
    assert str(tmp_path / "shims" / "python3") in pythons["watch"]


def test_look_with_an_unusable_default_takes_the_next_and_says_why(tmp_path: Path) -> None:
    write_shim(tmp_path / "broken", "/nonexistent/python3")
    write_shim(tmp_path / "good", sys.executable)
    pythons = look(tmp_path, path=(str(tmp_path / "broken"), str(tmp_path / "good")))
    assert pythons["default"] == RUNNING
    assert "does not run" in pythons["rejected"][str(tmp_path / "broken" / "python3")]


def test_look_with_only_an_unusable_default_falls_back_and_says_why(tmp_path: Path) -> None:
    write_shim(tmp_path / "broken", "/nonexistent/python3")
    pythons = look(tmp_path, path=(str(tmp_path / "broken"),), tool=sys.executable)
    assert pythons["default"] == RUNNING
    assert "was passed over" in pythons["default_reason"]


def test_look_with_nothing_found_has_no_default(tmp_path: Path) -> None:
    pythons = look(tmp_path)
    assert pythons["found"] == {}
    assert pythons["default"] is None
    assert pythons["tool"] is None


def test_look_with_two_paths_of_one_interpreter_asks_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def inspect(path: str, *arguments: Any) -> Any:
        asked.append(path)
        return original(path, *arguments)

    original = inspection.inspect
    monkeypatch.setattr(discover, "inspect", inspect)
    # Not in tmp_path, whose name may be too long to stand on a `#!` line.
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        folder = Path(short)
        for name in ("python3", f"python{RUNNING}"):
            (folder / name).symlink_to(sys.executable)
        pythons = look(tmp_path, path=(str(folder),), tool=sys.executable)
        assert asked == [str(folder / "python3")]
    assert pythons["tool"]["version"] == RUNNING


def test_look_at_a_folder_named_like_an_interpreter_passes_it_over(tmp_path: Path) -> None:
    (tmp_path / "bin/python3.12").mkdir(parents=True)
    (tmp_path / "bin/python3").mkdir()
    result = look(tmp_path, path=(str(tmp_path / "bin"),))
    assert (result["found"], result["rejected"]) == ({}, {})


def test_is_script_of_a_program_that_cannot_be_read_is_false(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert discover.is_script(str(tmp_path / "python3")) is False
