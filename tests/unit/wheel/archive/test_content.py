# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import os
import random
from pathlib import Path

import pytest

from tests.support.tiny_zip import STORED, TinyEntry, build_zip
from tools.wheel.archive.content import checked_chunks
from tools.wheel.archive.directory import read_directory
from tools.wheel.archive.entry import Entry
from tools.wheel.archive.errors import BadArchiveError

MIB = 1 << 20


def _read(folder: Path, tiny: TinyEntry) -> list[bytes]:
    path = folder / "x.zip"
    path.write_bytes(build_zip([tiny]))
    with path.open("rb") as stream:
        (entry,) = read_directory(stream, "x").entries
        return list(checked_chunks(stream.fileno(), entry))


@pytest.mark.parametrize("method", [STORED, 8])
@pytest.mark.parametrize("size", [0, 1, 3 * MIB + 5])
def test_checked_chunks_content_comes_whole_and_in_small_pieces(
    tmp_path: Path, method: int, size: int
) -> None:
    for content in (random.Random(3).randbytes(size), bytes(size)):
        chunks = _read(tmp_path, TinyEntry(b"a", content, method))
        assert b"".join(chunks) == content
        assert all(0 < len(chunk) <= MIB for chunk in chunks)


@pytest.mark.parametrize(
    ("tiny", "message"),
    [
        (TinyEntry(b"a", b"abc", crc=1), "checksum is 352441c2, the archive says 00000001"),
        (TinyEntry(b"a", b"abc", size=2), "goes on after its 2 bytes"),
        (TinyEntry(b"a", b"abc", size=4), "has 3 bytes, the archive says 4"),
        (TinyEntry(b"a", b"abc", data=b"\xff\xff"), "damaged: Error -3"),
        (TinyEntry(b"a", b"abc", data=b"\x4b"), "stream does not end"),
        (TinyEntry(b"a", b"abc", data=b"\x4b\x4c\x4a\x06\x00tail"), "data follows the end"),
    ],
)
def test_checked_chunks_damaged_content_is_refused(
    tmp_path: Path, tiny: TinyEntry, message: str
) -> None:
    with pytest.raises(BadArchiveError, match=message):
        _read(tmp_path, tiny)


def test_checked_chunks_truncated_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    file = os.open(path, os.O_RDONLY)
    with pytest.raises(BadArchiveError, match="the archive ends within it"):
        list(checked_chunks(file, Entry("a", 9, 9, STORED, 0, 0)))
    os.close(file)
