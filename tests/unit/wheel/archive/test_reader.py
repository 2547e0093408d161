# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import os
import re
import stat
import zipfile
from pathlib import Path

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.errors import (
    BadArchiveError,
    MemberPathError,
    WheelNameError,
)
from tools.wheel.archive.reader import open_wheel

NAME = "pkg-1.0-py3-none-any.whl"
RECORD = "pkg-1.0.dist-info/RECORD"


def _append(wheel: Path, info: zipfile.ZipInfo, data: bytes = b"") -> None:
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(info, data)


@pytest.mark.parametrize("path", ["../evil", "/etc/passwd", "a/../../b", "a\\..\\b"])
def test_open_wheel_path_out_of_folder_is_refused(tmp_path: Path, path: str) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {})
    _append(wheel, zipfile.ZipInfo(path))
    with pytest.raises(MemberPathError, match="unsafe path"), open_wheel(wheel):
        pass


def test_open_wheel_symbolic_link_is_refused(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {})
    info = zipfile.ZipInfo("pkg/link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    _append(wheel, info, b"/etc/passwd")
    with pytest.raises(BadArchiveError, match="not a regular file"), open_wheel(wheel):
        pass


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_open_wheel_path_twice_is_refused(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/a.py": b""})
    _append(wheel, zipfile.ZipInfo("pkg/a.py"))
    with pytest.raises(MemberPathError, match="occurs twice"), open_wheel(wheel):
        pass


def test_open_wheel_file_that_is_a_folder_too_is_refused(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/a": b"", "pkg/a/b/c.py": b""})
    with pytest.raises(MemberPathError, match=r"`pkg/a` in .* is a file"), open_wheel(wheel):
        pass


def test_open_wheel_error_of_the_callers_passes_unchanged(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {})
    with pytest.raises(FileNotFoundError), open_wheel(wheel):
        (tmp_path / "absent").read_bytes()


def test_open_wheel_pipe_is_refused_unopened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    with pytest.raises(BadArchiveError, match="it is no regular file"), open_wheel(tmp_path / NAME):
        pass


def test_open_wheel_absent_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadArchiveError, match="cannot read"), open_wheel(tmp_path / NAME):
        pass


@pytest.mark.parametrize("mode", [0o755, 0o100, 0o010, 0o001])
def test_executables_any_execute_bit_counts(tmp_path: Path, mode: int) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/a.py": b""})
    info = zipfile.ZipInfo("pkg/run.sh")
    info.external_attr = (stat.S_IFREG | mode) << 16
    _append(wheel, info)
    with open_wheel(wheel) as reader:
        assert reader.executables == {"pkg/run.sh"}


def test_open_wheel_bzip2_entry_is_refused(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {})
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("pkg/a.py", b"abc")
    with pytest.raises(BadArchiveError, match="compressed by method 12"), open_wheel(wheel):
        pass


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing"])
def test_open_wheel_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(BadArchiveError, match="cannot read"), open_wheel(tmp_path / NAME):
        pass


def test_open_wheel_damaged_entry_is_refused_when_read(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/a.py": b"abc" * 1000})
    data = bytearray(wheel.read_bytes())
    start = data.index(b"pkg/a.py") + len(b"pkg/a.py")
    data[start + 4] ^= 0xFF
    wheel.write_bytes(data)
    with open_wheel(wheel) as reader, pytest.raises(BadArchiveError, match="is damaged"):
        b"".join(reader.chunks("pkg/a.py"))


def test_open_wheel_other_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pkg.zip"
    path.touch()
    with pytest.raises(WheelNameError), open_wheel(path):
        pass


def test_open_wheel_absent_file_is_named_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "*.whl"
    with pytest.raises(BadArchiveError, match=re.escape(f"cannot read `{path}`")), open_wheel(path):
        pass


def test_read_text_absent_file_names_the_wheel(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {})
    with open_wheel(wheel) as reader, pytest.raises(BadArchiveError, match=r"has no `pkg-2\.0"):
        reader.read_text("pkg-2.0.dist-info/WHEEL")


def test_extract_writes_one_file(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/sub/a.py": b"abc"})
    target = tmp_path / "out" / "a.py"
    with open_wheel(wheel) as reader:
        reader.extract("pkg/sub/a.py", target)
    assert target.read_bytes() == b"abc"


@pytest.mark.parametrize(
    ("files", "found"),
    [({}, "none"), ({"a-1.dist-info/x": b"", "b-1.dist-info/x": b""}, "several: a-1")],
)
def test_dist_info_not_one_folder_is_refused(
    tmp_path: Path, files: dict[str, bytes], found: str
) -> None:
    wheel = tmp_path / NAME
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    with open_wheel(wheel) as reader, pytest.raises(BadArchiveError, match=f"has {found}"):
        _ = reader.dist_info
