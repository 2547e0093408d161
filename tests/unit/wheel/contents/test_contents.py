# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pathlib

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.contents.cli import main
from tools.wheel.contents.golden import contents, differences, parse_golden

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
GOLDEN = """
# What pkg ships.
pkg/__init__.py
pkg/_C.{extension}.so

pkg-{version}.dist-info/METADATA
pkg-{version}.dist-info/RECORD
pkg-{version}.dist-info/WHEEL
"""


@pytest.fixture
def wheel(tmp_path: pathlib.Path) -> pathlib.Path:
    files = {"pkg/__init__.py": b"", "pkg/_C.cpython-312-x86_64-linux-gnu.so": b"x"}
    return write_tiny_wheel(tmp_path, NAME, files)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("pkg-1.0.dist-info/licenses/a-1.0.txt", "pkg-{version}.dist-info/licenses/a-1.0.txt"),
        ("pkg-1.0.data/scripts/run", "pkg-{version}.data/scripts/run"),
        ("other-1.0.dist-info/METADATA", "other-1.0.dist-info/METADATA"),
        ("pkg/_C.cpython-314t-aarch64-linux-gnu.so", "pkg/_C.{extension}.so"),
        ("pkg/_C.abi3.so", "pkg/_C.{extension}.so"),
        ("pkg/libcpython-312.so", "pkg/libcpython-312.so"),
        ("top.py", "top.py"),
    ],
)
def test_contents_what_changes_from_build_to_build_is_left_out(path: str, line: str) -> None:
    assert contents(parse_wheel_name(NAME), [path]) == [line]


def test_golden_comments_and_empty_lines_are_for_people() -> None:
    assert parse_golden("# x\n\n  a/b.py \n") == ["a/b.py"]


def test_differences_are_what_to_take_out_and_to_put_in() -> None:
    assert differences(["c", "a", "b"], ["a", "b", "d"]) == ["- c", "+ d"]
    assert differences(["b", "a"], ["a", "b"]) == []


def test_contents_command_passes_the_same_files(
    wheel: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = tmp_path / "golden.txt"
    golden.write_text(GOLDEN)
    assert main([str(wheel), str(golden)]) == 0
    assert capsys.readouterr().out == f"{NAME}: 5 files, as in {golden}\n"


def test_contents_command_shows_stray_and_lost_files(
    wheel: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = tmp_path / "golden.txt"
    golden.write_text(GOLDEN.replace("pkg/__init__.py", "pkg/lost.py"))
    assert main([str(wheel), str(golden)]) == 1
    output = capsys.readouterr().out
    assert "\n+ pkg/__init__.py\n" in output
    assert "\n- pkg/lost.py\n" in output
    assert f"\nhint: if this is meant, edit `{golden}`" in output


def test_contents_command_writes_its_verdict_for_build_actions(
    wheel: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    golden, report, code = (tmp_path / name for name in ("golden", "report", "code"))
    golden.write_text("")
    arguments = [str(wheel), str(golden), "--output", str(report), "--exit-code-file", str(code)]
    assert main(arguments) == 0
    assert code.read_text() == "1\n"
    assert "+ pkg/__init__.py" in report.read_text()


def test_contents_command_without_golden_prints_one(
    wheel: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(wheel)]) == 0
    golden = tmp_path / "golden"
    golden.write_text(capsys.readouterr().out)
    assert main([str(wheel), str(golden)]) == 0


def test_contents_command_names_an_unreadable_wheel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([NAME]) == 11
    assert f"cannot read `{NAME}`" in capsys.readouterr().err
