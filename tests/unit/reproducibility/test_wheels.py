# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two wheels: the archive, and the content of its files."""

import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.tiny_wheel import write_tiny_wheel
from tools.reproducibility.wheels import Comparison, compare_wheels, extracted
from tools.wheel.archive.errors import BadArchiveError

_NAME = "pkg-1.0-py3-none-any.whl"
_RECORD = "pkg-1.0.dist-info/RECORD"


def wheel(folder: Path, files: Mapping[str, bytes], **options: Any) -> Path:
    folder.mkdir()
    return write_tiny_wheel(folder, _NAME, files, **options)


def compare(folder: Path, first: Path, second: Path) -> Comparison:
    (folder / "differing").mkdir()
    return compare_wheels(first, second, folder / "differing")


def found(comparison: Comparison) -> list[tuple[str, str, str]]:
    return [
        (difference.path, difference.part, difference.what) for difference in comparison.differences
    ]


def test_wheels_same_bytes_have_no_difference(tmp_path: Path) -> None:
    first, second = (wheel(tmp_path / name, {"pkg/a.py": b"x = 1\n"}) for name in "ab")
    comparison = compare(tmp_path, first, second)
    assert comparison.same
    assert comparison.differences == ()
    assert comparison.digests[0] == comparison.digests[1]


def test_wheels_line_of_a_file_differs_and_record_follows(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {"pkg/a.py": b"x = 1\ny = 2\n"})
    second = wheel(tmp_path / "b", {"pkg/a.py": b"x = 1\ny = 3\n"})
    comparison = compare(tmp_path, first, second)
    assert not comparison.same
    assert comparison.contents == ("pkg/a.py", _RECORD)
    line, record, cause = found(comparison)
    assert line == ("pkg/a.py", "line 2", r"'y = 2\n' in the first, 'y = 3\n' in the second")
    assert record[:2] == (_RECORD, "line 3")
    assert cause == (_RECORD, "cause", "rows of the files above alone; it follows from them")
    texts = [place.read_text() for place in extracted(tmp_path / "differing", "pkg/a.py")]
    assert texts == ["x = 1\ny = 2\n", "x = 1\ny = 3\n"]


def test_wheels_record_alone_differs_is_no_consequence(tmp_path: Path) -> None:
    rows = "pkg/a.py,,\npkg-1.0.dist-info/RECORD,,\n"
    first = wheel(tmp_path / "a", {"pkg/a.py": b""}, record=rows)
    second = wheel(tmp_path / "b", {"pkg/a.py": b""}, record=rows.replace("a.py,,", "a.py,,0"))
    assert found(compare(tmp_path, first, second)) == [
        (_RECORD, "line 1", r"'pkg/a.py,,\n' in the first, 'pkg/a.py,,0\n' in the second")
    ]


@pytest.mark.parametrize(
    ("one", "other", "part", "what"),
    [
        (
            "1\n2\n3\n",
            "1\nx\n",
            "line 2",
            r"'2\n' in the first, 'x\n' in the second; lines that only the first has: 2, only the "
            "second: 1",
        ),
        (
            "1\n2\n3\n4\n",
            "1\nx\n2\n3\n4\n",
            "line 2",
            r"'2\n' in the first, 'x\n' in the second; lines that only the first has: 0, only the "
            "second: 1",
        ),
        (
            "1\n2\n3\n",
            "1\n3\n2\n",
            "line 2",
            r"'2\n' in the first, '3\n' in the second; the same lines in another order",
        ),
        (
            "1\f2\n3\n",
            "1\f2\n4",
            "line 2",
            r"'3\n' in the first, '4' in the second",
        ),
        (
            "1\n",
            "1\n2\n",
            "line 2",
            r"nothing in the first, '2\n' in the second; lines that only the first has: 0, only "
            "the second: 1",
        ),
    ],
    ids=["replaced", "added", "moved", "form feed", "at the end"],
)
def test_wheels_lines_of_one_alone_are_counted(
    tmp_path: Path, one: str, other: str, part: str, what: str
) -> None:
    first = wheel(tmp_path / "a", {"a": one.encode()}, record="")
    second = wheel(tmp_path / "b", {"a": other.encode()}, record="")
    assert found(compare(tmp_path, first, second)) == [("a", part, what)]


def test_wheels_long_line_is_cut_around_the_difference(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {"a": b"-" * 500 + b"1" + b"-" * 500}, record="")
    second = wheel(tmp_path / "b", {"a": b"-" * 500 + b"2" + b"-" * 500}, record="")
    ((_, part, what),) = found(compare(tmp_path, first, second))
    shown = "...'" + "-" * 80 + "{}" + "-" * 79 + "'..."
    assert part == "line 1"
    assert what == f"{shown.format(1)} in the first, {shown.format(2)} in the second"


def test_wheels_order_of_files_differs_names_the_first(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {"a.py": b"", "b.py": b""}, record="")
    second = wheel(tmp_path / "b", {"b.py": b"", "a.py": b""}, record="")
    assert found(compare(tmp_path, first, second)) == [
        ("", "order", "file 2: `a.py` in the first, `b.py` in the second")
    ]


def test_wheels_mode_differs_shows_both(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {"run": b""}, modes={"run": 0o644})
    second = wheel(tmp_path / "b", {"run": b""}, modes={"run": 0o755})
    assert found(compare(tmp_path, first, second)) == [
        ("run", "mode", "-rw-r--r-- in the first, -rwxr-xr-x in the second")
    ]


def test_wheels_file_only_in_one_is_named(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {"a.py": b"", "b.py": b""}, record="")
    second = wheel(tmp_path / "b", {"b.py": b"", "c.py": b""}, record="")
    assert found(compare(tmp_path, first, second)) == [
        ("a.py", "file", "only in the first"),
        ("c.py", "file", "only in the second"),
    ]


def test_wheels_binary_file_differs_names_the_byte(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {"data": b"\0" * 9 + b"\1"}, record="")
    second = wheel(tmp_path / "b", {"data": b"\0" * 9 + b"\2"}, record="")
    assert found(compare(tmp_path, first, second)) == [
        ("data", "byte 0x9", "01 in the first, 02 in the second (10 bytes)")
    ]


def repacked(source: Path, folder: Path, level: int = 6, **fields: Any) -> Path:
    """The wheel again, with other fields of each entry."""
    folder.mkdir()
    target = folder / source.name
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            for name, value in fields.items():
                setattr(info, name, value)
            new.writestr(info, content, compresslevel=level)
    return target


def test_wheels_time_differs_shows_both(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {})
    second = repacked(first, tmp_path / "b", date_time=(2026, 1, 2, 3, 4, 6))
    differences = found(compare(tmp_path, first, second))
    assert {difference[1:] for difference in differences} == {
        ("time", "1980-01-01 00:00:00 in the first, 2026-01-02 03:04:06 in the second")
    }
    assert len(differences) == 3


def test_wheels_stored_or_deflated_shows_both(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {"a.py": b"-" * 100}, record="")
    second = repacked(first, tmp_path / "b", compress_type=zipfile.ZIP_STORED)
    assert ("a.py", "compression", "deflated in the first, stored in the second") in found(
        compare(tmp_path, first, second)
    )


def test_wheels_other_level_of_compression_is_told_from_content(tmp_path: Path) -> None:
    content = b"".join(b"%d " % (number * number % 977) for number in range(2000))
    first = wheel(tmp_path / "a", {"a.txt": content}, record="")
    second = repacked(first, tmp_path / "b", level=1)
    differences = found(compare(tmp_path, first, second))
    (what,) = (what for path, part, what in differences if (path, part) == ("a.txt", "compression"))
    assert what.startswith("the same content in ")
    assert what.endswith(": another compressor or level")


def test_wheels_other_bytes_of_the_archive_are_found_all_the_same(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {})
    data = bytearray(first.read_bytes())
    data[10] ^= 1  # time in the local header of the first file
    (tmp_path / "b").mkdir()
    second = tmp_path / "b" / _NAME
    second.write_bytes(data)
    ((path, part, _),) = found(compare(tmp_path, first, second))
    assert (path, part) == ("", "byte 0xa, outside of every file")


@pytest.mark.parametrize("content", [b"", b"404: not found\n"])
def test_wheels_of_the_same_bytes_that_are_none_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / _NAME).write_bytes(content)
    with pytest.raises(BadArchiveError) as caught:
        compare(tmp_path, tmp_path / _NAME, tmp_path / _NAME)
    assert caught.value.what == (
        f"cannot read `{tmp_path / _NAME}`: it has no end record: no zip archive, or a truncated "
        "one"
    )


def test_wheels_absent_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadArchiveError) as caught:
        compare(tmp_path, wheel(tmp_path / "a", {}), tmp_path / _NAME)
    assert str(caught.value) == (
        f"cannot read `{tmp_path / _NAME}`: [Errno 2] No such file or directory: "
        f"'{tmp_path / _NAME}'\nhint: give the path of an existing, complete wheel"
    )


def test_wheels_that_the_standard_library_cannot_read_are_refused(tmp_path: Path) -> None:
    first = wheel(tmp_path / "a", {})
    data = bytearray(first.read_bytes())
    data[data.index(b"PK\1\2") + 6] = 99  # version needed to extract
    (tmp_path / "b").mkdir()
    second = tmp_path / "b" / _NAME
    second.write_bytes(data)
    with pytest.raises(BadArchiveError) as caught:
        compare(tmp_path, first, second)
    assert str(caught.value) == (
        f"cannot read `{second}`: zip file version 9.9\n"
        "hint: fetch the wheel again, or rebuild it with another tool"
    )


def test_wheels_second_name_of_a_file_is_an_extra_field(tmp_path: Path) -> None:
    def pack(folder: Path, extra: bytes) -> Path:
        folder.mkdir()
        with zipfile.ZipFile(folder / _NAME, "w") as archive:
            info = zipfile.ZipInfo("a.py")
            info.extra = extra
            archive.writestr(info, b"")
            archive.writestr(zipfile.ZipInfo(_RECORD), b"")
        return folder / _NAME

    name = b"\1" + struct.pack("<L", zlib.crc32(b"a.py")) + b"b.py"
    second = pack(tmp_path / "b", struct.pack("<2H", 0x7075, len(name)) + name)
    assert found(compare(tmp_path, pack(tmp_path / "a", b""), second)) == [
        ("a.py", "extra fields", f"none in the first, 75700900{name.hex()} in the second")
    ]
