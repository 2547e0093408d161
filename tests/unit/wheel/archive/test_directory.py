# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Archives whose two tables of contents disagree."""

import io
import struct

import pytest

from tests.support.tiny_zip import DATA_DESCRIPTOR, STORED, UTF8_NAME, TinyEntry, build_zip
from tools.wheel.archive import directory
from tools.wheel.archive.directory import read_directory
from tools.wheel.archive.errors import BadArchiveError

A, B = TinyEntry(b"pkg/a.py", b"abc" * 100), TinyEntry(b"pkg/b.py", b"B = 1\n", method=STORED)


def _problems(archive: bytes) -> list[tuple[str, str]]:
    return [(item.path, item.what) for item in read_directory(io.BytesIO(archive), "x").problems]


def _zip64(*values: int) -> bytes:
    return struct.pack(f"<2H{len(values)}Q", 1, 8 * len(values), *values)


def _changed(entry: TinyEntry, **changes: object) -> TinyEntry:
    return TinyEntry(**{**vars(entry), **changes})


def _unicode_path(name: bytes) -> bytes:
    return struct.pack("<2HBL", 0x7075, 5 + len(name), 1, 0) + name


EVIL, SAME = _unicode_path(b"evil"), _unicode_path(A.name)


def test_read_directory_sound_archive_gives_every_entry_and_no_problem() -> None:
    archive = build_zip([A, TinyEntry(b"pkg/"), B])
    found = read_directory(io.BytesIO(archive), "x")
    assert [(entry.path, entry.size, entry.method) for entry in found.entries] == [
        ("pkg/a.py", 300, 8),
        ("pkg/", 0, 8),
        ("pkg/b.py", 6, 0),
    ]
    assert found.problems == ()
    b = found.entries[2]
    assert archive[b.offset : b.offset + b.compressed_size] == b"B = 1\n"


@pytest.mark.parametrize(
    ("archive", "path", "what"),
    [
        (build_zip([A], suffix=b"tail"), "", "4 bytes follow the end of the archive"),
        (
            build_zip([_changed(A, gap=b"hidden"), B]),
            "",
            "6 bytes before `pkg/b.py` belong to no file",
        ),
        (
            build_zip([_changed(A, gap=b"x")]),
            "",
            "1 bytes before `the central directory` belong to no file",
        ),
        (build_zip([_changed(A, comment=b"hello")]), "pkg/a.py", "has a comment of 5 bytes"),
        (
            build_zip([_changed(A, local_size=7)]),
            "pkg/a.py",
            "its local header disagrees with the central directory",
        ),
        (
            build_zip([_changed(A, extra=_zip64() + _zip64())]),
            "pkg/a.py",
            "has extra field 0x0001 twice",
        ),
        (
            build_zip([_changed(A, local_extra=_zip64(300))]),
            "pkg/a.py",
            "the 64-bit sizes in its local header have 8 bytes, expected 16",
        ),
        (
            build_zip([_changed(A, local_extra=_zip64(300, 1234))]),
            "pkg/a.py",
            "the 64-bit sizes in its local header disagree with the central directory",
        ),
        (
            build_zip([_changed(B, local_extra=_zip64(7))]),
            "pkg/b.py",
            "the 64-bit sizes in its local header disagree with the central directory",
        ),
        (build_zip([_changed(A, extra=EVIL)]), "pkg/a.py", "has a second name, b'evil'"),
        (build_zip([_changed(A, local_extra=EVIL)]), "pkg/a.py", "has a second name, b'evil'"),
        (
            build_zip([_changed(A, extra=EVIL, local_extra=EVIL)]),
            "pkg/a.py",
            "has a second name, b'evil'",
        ),
    ],
)
def test_read_directory_irregular_archive_is_reported(archive: bytes, path: str, what: str) -> None:
    assert _problems(archive) == [(path, what)]


@pytest.mark.parametrize(
    "entry",
    [
        _changed(A, local_extra=_zip64(300, len(A.stored_data))),
        _changed(B, local_extra=_zip64(6)),
        _changed(A, local_extra=_zip64()),
        _changed(A, extra=SAME, local_extra=SAME),
    ],
)
def test_read_directory_extra_fields_that_agree_pass(entry: TinyEntry) -> None:
    assert _problems(build_zip([entry])) == []


@pytest.mark.parametrize(
    ("archive", "message"),
    [
        (b"", "no end record"),
        (build_zip([A])[:-30], "no end record"),
        (build_zip([A])[:-1], "no end record"),
        (build_zip([A])[10:], "bytes are missing, or were put before"),
        (build_zip([A], prefix=b"#!/bin/sh\n"), "bytes are missing, or were put before"),
        (build_zip([A, B], count=1), "counts 1 files, the directory has 2"),
        (build_zip([A, B], count=3), "counts 3 files, the directory has 2"),
        (build_zip([_changed(A, local_name=b"pkg/x.py")]), r"`pkg/a.py` is called b'pkg/x.py'"),
        (build_zip([A, _changed(A, offset=0)]), "`pkg/a.py` starts at 0, within the file before"),
        (build_zip([_changed(A, offset=3)]), "has no local header at 3"),
        (build_zip([_changed(A, name=b"pkg/\xff.py")]), r"b'pkg/\\xff.py' is neither ASCII nor"),
        (
            build_zip([_changed(A, name=b"pkg/\xff.py", flags=UTF8_NAME)]),
            r"b'pkg/\\xff.py' is neither ASCII nor declared and valid UTF-8",
        ),
        (build_zip([_changed(A, size=0xFFFFFFFF)]), "no 64-bit size where it needs one"),
        (build_zip([_changed(A, extra=b"\1\0\xff\0")]), "has a truncated extra field"),
        (build_zip([_changed(A, extra=b"\1")]), "has a truncated extra field"),
        (
            build_zip([A], zip64_end=struct.pack("<4sLQL", b"PK\x06\x07", 0, 5, 1)),
            "64-bit end record is not where the locator says",
        ),
    ],
)
def test_read_directory_ambiguous_archive_is_refused(archive: bytes, message: str) -> None:
    with pytest.raises(BadArchiveError, match=message) as caught:
        read_directory(io.BytesIO(archive), "x.whl")
    assert "cannot read `x.whl`: " in caught.value.what


def test_read_directory_huge_directory_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(directory, "MAX_DIRECTORY", 100)
    with pytest.raises(BadArchiveError, match="has 108 bytes, the limit is 100"):
        read_directory(io.BytesIO(build_zip([A, B])), "x")


def test_read_directory_data_descriptor_is_no_gap() -> None:
    archive = build_zip([_changed(A, flags=DATA_DESCRIPTOR), B])
    found = read_directory(io.BytesIO(archive), "x")
    assert found.problems == ()
    assert found.entries[0].flags == DATA_DESCRIPTOR


def test_read_directory_utf8_name_is_read() -> None:
    archive = build_zip([TinyEntry("pkg/ü.py".encode(), flags=UTF8_NAME)])
    assert read_directory(io.BytesIO(archive), "x").entries[0].path == "pkg/ü.py"


def test_read_directory_64_bit_fields_are_read() -> None:
    """An archive as one beyond 4 GiB has it, at the size of a small one."""
    data = A.stored_data
    entry = _changed(A, size=0xFFFFFFFF, extra=_zip64(300), local_extra=_zip64(300, len(data)))
    archive = build_zip([entry])
    end = struct.unpack_from("<4s4H2LH", archive, len(archive) - 22)
    size, offset = end[5:7]
    body = archive[:-22]
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(body), 1)
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    found = read_directory(io.BytesIO(body + end64 + locator + last), "x")
    assert found.entries[0].size == 300
    assert found.problems == ()
