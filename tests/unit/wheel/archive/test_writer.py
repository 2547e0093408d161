# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import hashlib
import random
import zipfile
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import read_members
from tools.wheel.archive import deflate, writer, zipfile_format
from tools.wheel.archive.errors import CompressorError, MemberPathError
from tools.wheel.archive.members import Member
from tools.wheel.archive.reader import open_wheel
from tools.wheel.archive.record import encode_hash, parse_record
from tools.wheel.archive.writer import write_wheel

DIST_INFO = "pkg-1.0.dist-info"
WHEEL = "pkg-1.0-py3-none-any.whl"


def _text(size: int) -> bytes:
    """Bytes that deflate, the same on every run."""
    chunk = " ".join(f"word{number * number % 977}" for number in range(20_000)).encode()
    return (chunk * (size // len(chunk) + 1))[:size]


def _noise(size: int) -> bytes:
    return random.Random(7).randbytes(size)


def _write(path: Path, members: list[Member], **options: object) -> Path:
    wheel = path / WHEEL
    write_wheel(wheel, members, DIST_INFO, **options)  # type: ignore[arg-type]
    return wheel


def test_write_wheel_known_input_gives_known_bytes(tmp_path: Path) -> None:
    """Pins every byte: a change of compressor, format or order must be meant."""
    members = [
        Member("pkg/__init__.py", b""),
        Member("pkg/data.txt", _text(3 * deflate.BLOCK_SIZE + 17)),
        Member("pkg/noise.bin", _noise(5000)),
        Member(f"{DIST_INFO}/METADATA", b"Metadata-Version: 2.4\nName: pkg\nVersion: 1.0\n"),
    ]
    digest = hashlib.sha256(_write(tmp_path, members).read_bytes()).hexdigest()
    assert digest == "e498707b648bc52c33474989317ae83bf2b92942c58e0488feab5036d6143a68"


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_write_wheel_any_number_of_threads_gives_same_bytes(tmp_path: Path, jobs: int) -> None:
    members = [Member("pkg/data.txt", _text(4 * deflate.BLOCK_SIZE))]
    alone = _write(tmp_path, members, jobs=1).read_bytes()
    assert _write(tmp_path, members, jobs=jobs).read_bytes() == alone


def test_write_wheel_any_order_of_members_gives_same_bytes(tmp_path: Path) -> None:
    members = [Member(f"pkg/{name}.py", name.encode()) for name in ("a", "b", "c")]
    members.append(Member(f"{DIST_INFO}/WHEEL", b"w"))
    forward = _write(tmp_path, members).read_bytes()
    assert _write(tmp_path, members[::-1]).read_bytes() == forward


@pytest.mark.parametrize("size", [0, 1, 100, deflate.BLOCK_SIZE, deflate.BLOCK_SIZE + 1, 2_300_000])
@pytest.mark.parametrize("level", [1, 5, 0])
def test_write_wheel_content_is_read_back_by_zipfile(tmp_path: Path, size: int, level: int) -> None:
    content = {"pkg/text": _text(size), "pkg/noise": _noise(size), "pkg/ünïcode": b"u"}
    source = tmp_path / "source"
    source.write_bytes(content["pkg/text"])
    members = [Member(path, data) for path, data in content.items() if path != "pkg/text"]
    wheel = _write(tmp_path, [*members, Member("pkg/text", source)], level=level)
    found = read_members(wheel)
    found.pop(f"{DIST_INFO}/RECORD")
    assert found == content


def test_write_wheel_order_is_by_path_with_record_last(tmp_path: Path) -> None:
    paths = ["z/last.py", f"{DIST_INFO}/WHEEL", f"{DIST_INFO}/METADATA", "a/first.py"]
    wheel = _write(tmp_path, [Member(path, b"x") for path in paths])
    assert zipfile.ZipFile(wheel).namelist() == [
        "a/first.py",
        "z/last.py",
        f"{DIST_INFO}/METADATA",
        f"{DIST_INFO}/WHEEL",
        f"{DIST_INFO}/RECORD",
    ]


def test_write_wheel_modes_and_times_do_not_depend_on_the_source(tmp_path: Path) -> None:
    executable = tmp_path / "plain.py"
    executable.write_bytes(b"print()\n")
    executable.chmod(0o777)
    wheel = _write(
        tmp_path,
        [
            Member("pkg/plain.py", executable),
            Member("pkg/lib.so", TinyElf().build()),
            Member("pkg/run.sh", b"#!/bin/sh\n", executable=True),
            Member("pkg-1.0.data/scripts/run", b"#!python\n"),
        ],
    )
    infos = {info.filename: info for info in zipfile.ZipFile(wheel).infolist()}
    assert {name: oct(info.external_attr >> 16) for name, info in infos.items()} == {
        "pkg/plain.py": "0o100644",
        "pkg/lib.so": "0o100755",
        "pkg/run.sh": "0o100755",
        "pkg-1.0.data/scripts/run": "0o100755",
        f"{DIST_INFO}/RECORD": "0o100644",
    }
    assert {info.date_time for info in infos.values()} == {(1980, 1, 1, 0, 0, 0)}


def test_write_wheel_record_lists_every_file_with_hash_and_size(tmp_path: Path) -> None:
    members = [Member("pkg/a,b.py", b"abc"), Member(f"{DIST_INFO}/RECORD.jws", b"stale")]
    members.append(Member(f"{DIST_INFO}/RECORD", b"stale"))
    record = read_members(_write(tmp_path, members))[f"{DIST_INFO}/RECORD"].decode()
    assert record == (
        '"pkg/a,b.py",sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n'
        "pkg-1.0.dist-info/RECORD,,\n"
    )


def test_write_wheel_small_incompressible_file_is_stored(tmp_path: Path) -> None:
    wheel = _write(tmp_path, [Member("noise", _noise(1000)), Member("text", _text(1000))])
    methods = {info.filename: info.compress_type for info in zipfile.ZipFile(wheel).infolist()}
    assert methods["noise"] == zipfile.ZIP_STORED
    assert methods["text"] == zipfile.ZIP_DEFLATED


def test_write_wheel_beyond_32_bits_uses_zip64(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the limits lowered, so that no test needs 4 GiB."""
    monkeypatch.setattr(zipfile_format, "ZIP64_LIMIT", 2000)
    monkeypatch.setattr(writer, "_WIDE_FROM", 1500)
    content = {f"pkg/{number}": _noise(3000 + number) for number in range(4)}
    wheel = _write(tmp_path, [Member(path, data) for path, data in content.items()])
    archive = zipfile.ZipFile(wheel)
    assert archive.testzip() is None
    assert {path: archive.read(path) for path in content} == content
    assert archive.getinfo("pkg/0").extract_version == 45
    assert archive.getinfo("pkg/3").header_offset > 2000


@pytest.mark.parametrize("path", ["/abs", "../up", "a/../b", "a//b", "a\\b", "", "a/\n", "./a"])
def test_write_wheel_unsafe_path_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(MemberPathError, match="unsafe path"):
        _write(tmp_path, [Member(path, b"")])
    assert list(tmp_path.iterdir()) == []


def test_write_wheel_two_files_for_one_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MemberPathError, match=r"two files for `pkg/a\.py`"):
        _write(tmp_path, [Member("pkg/a.py", b"1"), Member("pkg/a.py", b"2")])


def test_write_wheel_file_that_is_a_folder_too_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MemberPathError, match=r"`pkg/a` in the wheel is a file, but `pkg/a/b`"):
        _write(tmp_path, [Member("pkg/a/b", b"1"), Member("pkg/a", b"2")])


def test_write_wheel_failing_source_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        _write(tmp_path, [Member("pkg/a.py", tmp_path / "absent")])
    assert list(tmp_path.iterdir()) == []


def test_write_wheel_other_compressor_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deflate, "PINNED_ZLIB_NG", "0.0.1")
    with pytest.raises(CompressorError, match=r"expected 0\.0\.1"):
        _write(tmp_path, [])


def test_write_wheel_record_holds_the_hash_of_the_content(tmp_path: Path) -> None:
    wheel = _write(tmp_path, [Member("pkg/a.py", _text(2_000_000))])
    with open_wheel(wheel) as reader:
        record = parse_record(reader.read_text(f"{DIST_INFO}/RECORD"), where="RECORD")
    assert record["pkg/a.py"].hash == encode_hash(hashlib.sha256(_text(2_000_000)).digest())


def test_write_wheel_file_of_another_wheel_is_copied_without_deflating_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = [Member("pkg/a.py", _text(2_000_000)), Member(f"{DIST_INFO}/WHEEL", b"w")]
    wheel = _write(tmp_path, members)
    target = tmp_path / "copy.whl"
    monkeypatch.setattr(writer, "deflate_block", lambda *_, **__: pytest.fail("deflated"))
    with open_wheel(wheel) as reader:
        rows = parse_record(reader.read_text(f"{DIST_INFO}/RECORD"), where="RECORD")
        archived = [Member("pkg/a.py", reader.archived("pkg/a.py", rows["pkg/a.py"].hash))]
        write_wheel(target, archived, DIST_INFO, level=0)
        monkeypatch.undo()
        assert read_members(target)["pkg/a.py"] == _text(2_000_000)
        write_wheel(target, [*archived, members[1]], DIST_INFO)
    assert target.read_bytes() == wheel.read_bytes()


def test_write_wheel_stored_file_of_another_wheel_is_deflated(tmp_path: Path) -> None:
    """Where the blocks end does not depend on how the other archive is read."""
    members = [Member("pkg/a.py", _text(2_300_000)), Member(f"{DIST_INFO}/WHEEL", b"w")]
    deflated = _write(tmp_path, members).read_bytes()
    wheel = _write(tmp_path, members, level=0)
    target = tmp_path / "deflated.whl"
    with open_wheel(wheel) as reader:
        archived = [Member(m.path, reader.archived(m.path, "unused")) for m in members]
        write_wheel(target, archived, DIST_INFO)
    assert target.read_bytes() == deflated


def test_deflate_block_content_that_gains_nothing_is_stored(tmp_path: Path) -> None:
    """Within a deflate stream, and only where all of the block is like that."""
    noise, text = _noise(deflate.BLOCK_SIZE), _text(deflate.BLOCK_SIZE)
    stored = deflate.deflate_block(noise, b"", level=9, final=True)
    assert len(noise) < len(stored) < 1.001 * len(noise)
    mixed = noise[: deflate.BLOCK_SIZE // 2] + text[: deflate.BLOCK_SIZE // 2]
    assert len(deflate.deflate_block(mixed, b"", level=5, final=True)) < 0.7 * len(mixed)
    wheel = _write(tmp_path, [Member("pkg/a", text + noise + text)])
    assert read_members(wheel)["pkg/a"] == text + noise + text
