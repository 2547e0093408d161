# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tools.wheel.dist.copy_wheels import main


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "built" / "pkg-1.0-py3-none-any.whl"
    path.parent.mkdir()
    path.write_bytes(b"new")
    path.chmod(0o444)
    return path


def test_main_folder_is_relative_to_the_callers(
    tmp_path: Path,
    wheel: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))
    assert main([f"--wheel={wheel}", "out/deep"]) == 0
    copy = tmp_path / "out/deep" / wheel.name
    assert copy.read_bytes() == b"new"
    assert capsys.readouterr().out == f"{copy}\n"


def test_main_copy_from_before_is_replaced(tmp_path: Path, wheel: Path) -> None:
    copy = tmp_path / wheel.name
    copy.write_bytes(b"old")
    copy.chmod(0o444)
    assert main([f"--wheel={wheel}", str(tmp_path)]) == 0
    assert copy.read_bytes() == b"new"


def test_main_folder_that_is_a_file_is_refused(
    tmp_path: Path, wheel: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main([f"--wheel={wheel}", str(tmp_path / "file")]) == 1
    assert "hint: name a folder" in capsys.readouterr().err


def test_main_usage_names_what_people_give(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out == (
        "usage: dist [-h] folder\n"
        "\n"
        "Copy the built wheels to a folder.\n"
        "\n"
        "positional arguments:\n"
        "  folder      folder to copy to; made if absent\n"
        "\n"
        "options:\n"
        "  -h, --help  show this help message and exit\n"
    )


def test_main_without_a_folder_shows_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--wheel=pkg-1.0-py3-none-any.whl"])
    assert end.value.code == 2
    assert capsys.readouterr().err == (
        "usage: dist [-h] folder\ndist: error: the following arguments are required: folder\n"
    )
