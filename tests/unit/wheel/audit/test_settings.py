# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pathlib
from typing import Any

import pytest

from tools.wheel.audit.errors import SettingsError
from tools.wheel.audit.settings import Settings, Suppression, check_settings, parse_settings
from tools.wheel.audit.settings_file import read_settings

FULL = """
[tool.tilewright-audit]
policy = "manylinux_2_27"
cuda = [12, 13]
archs = ["sm_80", "sm_90a", "compute_90"]
allow-grafted = ["libgomp.so.*"]
max-size = 100_000_000
suppress = [
    { check = "elf-executable-stack", path = "pkg/*.so", reason = " trampolines of libffi " },
]
"""


def parse(**table: Any) -> Settings:
    return parse_settings(table, where="pyproject.toml")


def test_settings_file_is_read(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(FULL)
    assert read_settings(path, {"elf-executable-stack"}) == Settings(
        policy="manylinux_2_27",
        cuda=(12, 13),
        archs=("sm_80", "sm_90a", "compute_90"),
        allow_grafted=("libgomp.so.*",),
        max_size=100_000_000,
        suppressions=(Suppression("elf-executable-stack", "trampolines of libffi", "pkg/*.so"),),
    )


def test_settings_of_what_may_be_copied_come_in_the_place_of_the_runtimes() -> None:
    assert "libgfortran.so*" in parse().allow_grafted
    assert parse(**{"allow-grafted": ["libfoo.so.*"]}).allow_grafted == ("libfoo.so.*",)
    assert parse(**{"allow-grafted": []}).allow_grafted == ()


def test_settings_without_file_are_the_defaults(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings(None, set()) == Settings()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert read_settings(None, set()) == Settings()


def test_settings_file_of_the_current_folder_is_found(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.tilewright-audit]\nmax-size = 7\n")
    assert read_settings(None, set()).max_size == 7


def test_settings_suppression_of_an_unknown_check_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(FULL)
    with pytest.raises(SettingsError, match="unknown check `elf-executable-stack`\nhint: .*--list"):
        read_settings(path, {"elf-other"})


@pytest.mark.parametrize("content", [None, b"[tool", b"\xff", b"a = " + b"[" * 5000])
def test_settings_unreadable_file_is_named(tmp_path: pathlib.Path, content: bytes | None) -> None:
    path = tmp_path / "settings.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=f"`{path}` cannot be read: .+\nhint: "):
        read_settings(path, set())


@pytest.mark.parametrize("content", ["tool = 5", "[tool]\ntilewright-audit = 5"])
def test_settings_that_are_no_table_are_refused(tmp_path: pathlib.Path, content: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(content)
    with pytest.raises(SettingsError, match="holds 5, expected a table\nhint: "):
        read_settings(path, set())


@pytest.mark.parametrize("name", ["", "gfx942", "90a", "sm_90b", "lto_80"])
def test_settings_name_that_is_no_gpu_code_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="`archs` holds `.*`, which is no GPU code"):
        check_settings(Settings(archs=(name,)))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"polcy": "x"}, "unknown setting `polcy`\nhint: use one of `allow-grafted`, "),
        ({"policy": 3}, "`policy` holds 3, expected str"),
        ({"cuda": 12}, "`cuda` holds 12, expected list"),
        ({"cuda": ["12"]}, "`cuda` holds '12', expected int"),
        ({"cuda": [True]}, "`cuda` holds True, expected int"),
        ({"archs": ["sm_80", 90]}, "`archs` holds 90, expected str"),
        ({"max-size": "1 GB"}, "`max-size` holds '1 GB', expected int"),
        ({"suppress": ["x"]}, "`suppress` holds 'x', expected dict"),
        ({"suppress": [{"check": "a"}]}, "a suppression of 'a' has no `reason`"),
        ({"suppress": [{"check": "a", "reason": " "}]}, "a suppression of 'a' has no `reason`"),
        ({"suppress": [{"reason": "b"}]}, "a suppression of 'nothing' has no `check`"),
        ({"suppress": [{"check": "a", "file": "b"}]}, "has the unknown key `file`"),
        ({"suppress": [{"check": "a", "reason": "b", "path": 1}]}, "`path` holds 1, expected str"),
    ],
)
def test_settings_that_make_no_sense_are_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse(**table)
    assert str(caught.value).startswith("`pyproject.toml`: ")
    assert message in str(caught.value)
