# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.unpack.cli import main

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"


def test_main_files_land_where_an_installer_puts_them(tmp_path: Path) -> None:
    files = {
        "pkg/a.py": b"1",
        "pkg-1.0.data/platlib/pkg/b.so": b"2",
        "pkg-1.0.data/scripts/run": b"3",
    }
    wheel = write_tiny_wheel(tmp_path, NAME, files)
    target = tmp_path / "tree"
    assert main([str(wheel), str(target)]) == 0
    found = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert found == {
        "pkg/a.py",
        "pkg/b.so",
        "pkg-1.0.dist-info/METADATA",
        "pkg-1.0.dist-info/RECORD",
        "pkg-1.0.dist-info/WHEEL",
    }


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (("pkg/a.py", "pkg-1.0.data/purelib/pkg/a.py"), "`pkg/a.py` occurs twice"),
        (("pkg/a", "pkg-1.0.data/platlib/pkg/a/b.py"), "`pkg/a` in "),
    ],
)
def test_main_two_files_for_one_place_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: tuple[str, ...], message: str
) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, dict.fromkeys(files, b""))
    target = tmp_path / "tree"
    assert main([str(wheel), str(target)]) == 12
    assert message in capsys.readouterr().err
    assert not target.exists()


def test_main_no_archive_exits_with_the_errors_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / NAME
    wheel.write_bytes(b"")
    assert main([str(wheel), str(tmp_path / "tree")]) == 11
    assert "cannot read" in capsys.readouterr().err


def test_unpack_onto_a_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = write_tiny_wheel(tmp_path, "pkg-1.0-py3-none-any.whl", {"pkg/a.py": b"new"})
    (tmp_path / "out" / "pkg").mkdir(parents=True)
    (tmp_path / "out" / "pkg" / "a.py").write_bytes(b"old")
    assert main([str(wheel), str(tmp_path / "out")]) == 12
    assert "a.py` exists already" in capsys.readouterr().err
    assert (tmp_path / "out" / "pkg" / "a.py").read_bytes() == b"old"
