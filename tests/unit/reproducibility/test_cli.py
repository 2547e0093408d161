# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The command: exit codes, text and JSON."""

import json
from pathlib import Path

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.reproducibility.cli import main

_NAME = "pkg-1.0-py3-none-any.whl"


def wheels(folder: Path, *contents: bytes) -> list[str]:
    paths = []
    for number, content in enumerate(contents):
        place = folder / str(number)
        place.mkdir()
        paths.append(str(write_tiny_wheel(place, _NAME, {"run": b""}, record=content.decode())))
    return paths


def test_compare_same_wheels_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = wheels(tmp_path, b"", b"")
    assert main(["compare", *paths]) == 0
    first, second, same = capsys.readouterr().out.splitlines()
    assert first.split()[::2] == ["first", paths[0]]
    assert second.split()[::2] == ["second", paths[1]]
    assert first.split()[1] == second.split()[1]
    assert same == "same sha256: yes"


def test_compare_as_json_is_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = wheels(tmp_path, b"1\n", b"2\n")
    assert main(["compare", "--json", *paths]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["schema_version"] == 1
    assert report["same"] is False
    assert [wheel["path"] for wheel in report["wheels"]] == paths
    assert report["differences"] == [
        {
            "path": "pkg-1.0.dist-info/RECORD",
            "part": "line 1",
            "what": r"'1\n' in the first, '2\n' in the second",
        }
    ]
    assert list(report["diffoscope"]) == ["pkg-1.0.dist-info/RECORD"]


def test_compare_no_wheel_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / _NAME).write_bytes(b"no archive")
    (other,) = wheels(tmp_path, b"")
    assert main(["compare", str(tmp_path / _NAME), other]) == 11
    assert "hint: " in capsys.readouterr().err


def test_build_outside_of_bazel_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BUILD_WORKSPACE_DIRECTORY", raising=False)
    assert main([]) == 60
    assert capsys.readouterr().err == (
        "reproducibility: no workspace to build\n"
        "hint: run it with `./tools/bazel run //tools/reproducibility`\n"
    )
