# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What PyPI refuses of an archive, the audit command refuses before the upload.

The rules are those of https://github.com/pypi/warehouse/blob/main/warehouse/utils/zipfiles.py.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.tiny_zip import DATA_DESCRIPTOR, STORED, UTF8_NAME, TinyEntry, build_zip
from tools.wheel.audit.cli import main

NAME = "pkg-1.0-py3-none-any.whl"
DIST_INFO = b"pkg-1.0.dist-info/"
MIB = 1 << 20

CODE = TinyEntry(b"pkg/a.py", b"abc" * 100)
METADATA = TinyEntry(DIST_INFO + b"METADATA", b"Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n")
WHEEL = TinyEntry(DIST_INFO + b"WHEEL", b"Wheel-Version: 1.0\nTag: py3-none-any\n")


def archive(*entries: TinyEntry, suffix: bytes = b"", zip64_end: bytes = b"") -> bytes:
    """A wheel with these files, which RECORD lists."""
    listed = [*entries, METADATA, WHEEL]
    rows = [b"%s,%s,%d" % (item.name, _hash(item.content), len(item.content)) for item in listed]
    record = DIST_INFO + b"RECORD"
    text = b"\n".join([*rows, record + b",,\n"])
    return build_zip([*listed, TinyEntry(record, text)], suffix=suffix, zip64_end=zip64_end)


def _hash(content: bytes) -> bytes:
    return b"sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")


def _zip64(*values: int) -> bytes:
    return struct.pack(f"<2H{len(values)}Q", 1, 8 * len(values), *values)


def _end64(extra: bytes) -> bytes:
    """The 64-bit end records, with other data in the first."""
    at = len(archive(CODE)) - 22
    size, offset = struct.unpack_from("<2L", archive(CODE), at + 12)
    fields = (44 + len(extra), 45, 45, 0, 0, 4, 4, size, offset)
    end = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", *fields) + extra
    return end + struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)


def _zeros(count: int) -> TinyEntry:
    return TinyEntry(b"pkg/zeros", bytes(count))


SOUND = {
    "deflated": archive(CODE),
    "stored": archive(replace(CODE, method=STORED)),
    "UTF-8": archive(replace(CODE, name="pkg/ü.py".encode(), flags=UTF8_NAME)),
    "64-bit sizes": archive(replace(CODE, local_extra=_zip64(300, len(CODE.stored_data)))),
    "64-bit end": archive(CODE, zip64_end=_end64(b"")),
    "60 MiB of zeros": archive(_zeros(60 * MIB)),
}

REFUSED = {
    "data descriptor": (
        archive(replace(CODE, flags=DATA_DESCRIPTOR)),
        61,
        "archive-data-descriptor: `pkg/a.py`: its sizes follow its data (general purpose flag 3)",
    ),
    "duplicate name": (archive(CODE, CODE), 12, "`pkg/a.py` occurs twice in `{path}`"),
    "bzip2": (
        archive(replace(CODE, method=12)),
        11,
        "`pkg/a.py` in `{path}` is encrypted, or compressed by method 12",
    ),
    "zstd": (
        archive(replace(CODE, method=93)),
        11,
        "`pkg/a.py` in `{path}` is encrypted, or compressed by method 93",
    ),
    "ratio over 50": (
        archive(_zeros(70 * MIB)),
        11,
        "`{path}` has {size} bytes and inflates to 73400658, more than 50 times as much",
    ),
    "comment on a file": (
        archive(replace(CODE, comment=b"hello")),
        60,
        "archive-structure: `pkg/a.py`: has a comment of 5 bytes",
    ),
    "control character": (
        archive(replace(CODE, name=b"pkg/\x1b.py")),
        12,
        "unsafe path in archive: 'pkg/\\x1b.py'",
    ),
    "DEL": (
        archive(replace(CODE, name=b"pkg/\x7f.py")),
        12,
        "unsafe path in archive: 'pkg/\\x7f.py'",
    ),
    "name not UTF-8": (
        archive(replace(CODE, name=b"pkg/\xff.py")),
        11,
        "cannot read `{path}`: the file name b'pkg/\\xff.py' is neither ASCII nor declared and "
        "valid UTF-8",
    ),
    "other name in front": (
        archive(replace(CODE, local_name=b"pkg/b.py")),
        11,
        "cannot read `{path}`: `pkg/a.py` is called b'pkg/b.py' in its local header",
    ),
    "other size in front": (
        archive(replace(CODE, local_size=7)),
        60,
        "archive-structure: `pkg/a.py`: its local header disagrees with the central directory",
    ),
    "other 64-bit size in front": (
        archive(replace(CODE, local_extra=_zip64(300, 1234))),
        60,
        "archive-structure: `pkg/a.py`: the 64-bit sizes in its local header disagree with the "
        "central directory",
    ),
    "64-bit sizes twice": (
        archive(replace(CODE, local_extra=2 * _zip64(300, len(CODE.stored_data)))),
        60,
        "archive-structure: `pkg/a.py`: has extra field 0x0001 twice",
    ),
    "one 64-bit size of two": (
        archive(replace(CODE, local_extra=_zip64(300))),
        60,
        "archive-structure: `pkg/a.py`: the 64-bit sizes in its local header have 8 bytes, "
        "expected 16",
    ),
    "64-bit end with more": (
        archive(CODE, zip64_end=_end64(b"more")),
        11,
        "cannot read `{path}`: its 64-bit end record carries other data",
    ),
    "hidden file": (
        archive(replace(CODE, gap=b"hidden")),
        60,
        "archive-structure: 6 bytes before `pkg-1.0.dist-info/METADATA` belong to no file",
    ),
    "trailing data": (
        archive(CODE, suffix=b"tail"),
        60,
        "archive-structure: 4 bytes follow the end of the archive",
    ),
    "truncated": (
        archive(CODE)[:-30],
        11,
        "cannot read `{path}`: it has no end record: no zip archive, or a truncated one",
    ),
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no pyproject.toml is."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("rule", SOUND)
def test_archive_that_pypi_takes_passes(tmp_path: Path, rule: str) -> None:
    path = tmp_path / NAME
    path.write_bytes(SOUND[rule])
    assert main([str(path), "--strict"]) == 0


@pytest.mark.parametrize("rule", REFUSED)
def test_archive_that_pypi_refuses_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str
) -> None:
    data, code, message = REFUSED[rule]
    path = tmp_path / NAME
    path.write_bytes(data)
    assert main([str(path)]) == code
    output = capsys.readouterr()
    lines = (output.out + output.err).splitlines()
    expected = message.format(path=path, size=len(data))
    (at,) = [number for number, line in enumerate(lines) if line.endswith(" " + expected)]
    assert lines[at + 1].strip().startswith("hint: ")
