# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import stat
import zipfile
from pathlib import Path

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.wheel.archive.errors import (
    BadArchiveError,
    MemberPathError,
    RecordError,
    WheelNameError,
)
from tools.wheel.archive.reader import open_wheel

NAME = "pkg-1.0-py3-none-any.whl"
RECORD = "pkg-1.0.dist-info/RECORD"


def _append(wheel: Path, info: zipfile.ZipInfo, data: bytes = b"") -> None:
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(info, data)


def test_check_record_correct_wheel_gives_hash_of_every_file(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/a.py": b"abc"})
    with open_wheel(wheel) as reader:
        hashes = reader.check_record()
    assert hashes["pkg/a.py"] == "sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
    assert RECORD not in hashes


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (f"{RECORD},,\n", "`pkg/a.py` is not listed"),
        ("pkg/a.py,sha256=AAAA,3\n", "says sha256=AAAA, 3 bytes"),
        ("pkg/a.py,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,4\n", "4 bytes"),
        ("pkg/a.py,x\n", "line 1 has 2 columns"),
        ("pkg/a.py,x,1\npkg/a.py,x,1\n", "lists `pkg/a.py` twice"),
        ("x" * 200_000 + ",x,1\n", "cannot be read: field larger than field limit"),
    ],
)
def test_check_record_wrong_record_is_refused(tmp_path: Path, record: str, message: str) -> None:
    wheel = tmp_path / NAME
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pkg/a.py", b"abc")
        archive.writestr(RECORD, record)
    with open_wheel(wheel) as reader, pytest.raises(RecordError, match=message):
        reader.check_record()


def test_check_record_listed_file_absent_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / NAME
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(RECORD, f"pkg/gone.py,sha256=AAAA,3\n{RECORD},,\n")
    with open_wheel(wheel) as reader, pytest.raises(RecordError, match=r"absent file `pkg/gone"):
        reader.check_record()


def test_check_record_sha512_is_understood(tmp_path: Path) -> None:
    digest = (
        "3a81oZNherrMQXNJriBBMRLm-k6JqX6iCp7u5ktV05ohkpkqJ0_BqDa6PCOj_uu9RU1EI2Q86A4qmslPpUyknw"
    )
    wheel = tmp_path / NAME
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pkg/a.py", b"abc")
        archive.writestr(RECORD, f"pkg/a.py,sha512={digest},3\n{RECORD},,\n")
    with open_wheel(wheel) as reader:
        assert reader.check_record() == {"pkg/a.py": f"sha512={digest}"}


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
        reader.hash("pkg/a.py")


def test_open_wheel_other_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WheelNameError), open_wheel(tmp_path / "pkg.zip"):
        pass


def test_read_text_absent_file_names_the_wheel(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {})
    with open_wheel(wheel) as reader, pytest.raises(BadArchiveError, match=r"has no `pkg-2\.0"):
        reader.read_text("pkg-2.0.dist-info/WHEEL")


def test_extract_writes_every_file(tmp_path: Path) -> None:
    wheel = write_tiny_wheel(tmp_path, NAME, {"pkg/sub/a.py": b"abc"})
    target = tmp_path / "out"
    target.mkdir()
    with open_wheel(wheel) as reader:
        reader.extract(target)
    assert (target / "pkg/sub/a.py").read_bytes() == b"abc"
    assert (target / RECORD).is_file()
