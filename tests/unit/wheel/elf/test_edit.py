# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Edits of tiny files: what changes, what does not, what is refused."""

from __future__ import annotations

import ctypes
import io
import os
import struct
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tools.wheel.elf.edit import ElfEdit, edit_elf
from tools.wheel.elf.elf_file import WRITABLE, ElfFile, Segment
from tools.wheel.elf.errors import UneditableError
from tools.wheel.elf.reader import read_elf

USER = TinyElf(
    soname="libuser.so",
    needed=("libfoo.so.3", "libc.so.6"),
    versions={"libfoo.so.3": ("FOO_1", "FOO_2"), "libc.so.6": ("GLIBC_2.17",)},
    weak_versions=("FOO_2",),
    imports=("foo@FOO_1",),
    defines=("user@USER_1", "other"),
    rpath="$ORIGIN/lib",
    build_id=b"0123456789abcdef",
    isa=2,
    sections={".nv_fatbin": b"\x50\xed\x55\xba" + bytes(60)},
)
EDIT = ElfEdit(
    soname="libuser-01234567.so",
    replaced={"libfoo.so.3": "libfoo-01234567.so.3"},
    search_path=("$ORIGIN/lib", "$ORIGIN/../pkg.libs"),
)
#: An edit for which nothing is added.
SHORTER = ElfEdit(search_path=())


def _edited(content: bytes, *edits: ElfEdit) -> bytes:
    stream = io.BytesIO(content)
    for edit in edits:
        edit_elf(stream, "pkg/a.so", edit)
    return stream.getvalue()


def _read(content: bytes) -> ElfFile:
    elf = read_elf(io.BytesIO(content), "pkg/a.so")
    assert elf is not None
    return elf


def _loads(elf: ElfFile) -> list[Segment]:
    return [segment for segment in elf.segments if segment.kind == "LOAD"]


def test_edit_elf_names_versions_and_search_path_are_new() -> None:
    before, after = _read(USER.build()), _read(_edited(USER.build(), EDIT))
    assert after.soname == "libuser-01234567.so"
    assert after.needed == ("libfoo-01234567.so.3", "libc.so.6")
    assert dict(after.versions) == {
        "libfoo-01234567.so.3": ("FOO_1",),
        "libc.so.6": ("GLIBC_2.17",),
    }
    assert dict(after.weak_versions) == {"libfoo-01234567.so.3": ("FOO_2",)}
    assert (after.rpath, after.runpath) == (("$ORIGIN/lib", "$ORIGIN/../pkg.libs"), ())
    assert after.defined_versions == before.defined_versions == ("USER_1",)
    assert [str(symbol) for symbol in after.symbols] == [str(symbol) for symbol in before.symbols]
    assert (after.build_id, after.isa) == (before.build_id, "x86-64-v2")


def test_edit_elf_no_byte_that_is_not_the_loaders_changes() -> None:
    """Headers, the dynamic section and the version needs do; device code, for one, does not."""
    payload = bytes(range(256)) * 64
    before = replace(USER, payload=payload).build()
    after = _edited(before, EDIT)
    tables = (".dynamic", ".gnu.version_r", ".dynsym")
    spans = [
        range(section.offset, section.offset + section.size)
        for section in _read(before).sections
        if section.name in tables
    ]
    first = min(section.offset for section in _read(before).sections if section.loaded)
    # One more program header lies where the first sections lay.
    spans.append(range(first + 56))
    spans.append(range(len(before) - 64 * len(_read(before).sections), len(before)))
    changed = [place for place, byte in enumerate(before) if after[place] != byte]
    assert changed
    assert [place for place in changed if not any(place in span for span in spans)] == []
    assert after.count(payload) == 1
    assert _read(after).section(".nv_fatbin") == _read(before).section(".nv_fatbin")


def test_edit_elf_sections_are_where_their_headers_say() -> None:
    after = _read(_edited(USER.build(), EDIT))
    for section in after.sections:
        if section.loaded and section.size:
            assert any(
                section.address - segment.address == section.offset - segment.offset
                and 0 <= section.offset - segment.offset <= segment.file_size - section.size
                for segment in _loads(after)
            ), section.name
    names = {section.name: section.address for section in after.sections}
    pointed = {segment.kind: segment.address for segment in after.segments}
    assert pointed["DYNAMIC"] == names[".dynamic"]
    assert [segment.address for segment in after.segments if segment.kind == "NOTE"] == [
        names[".note.gnu.property"],
        names[".note.gnu.build-id"],
    ]


@pytest.mark.parametrize(
    ("machine", "page"), [(62, 0x1000), (183, 0x10000), (21, 0x10000), (258, 0x4000)]
)
def test_edit_elf_segments_are_aligned_to_every_page_size_and_ascend(
    machine: int, page: int
) -> None:
    content = TinyElf(machine=machine, alignment=page).build()
    old, new = _loads(_read(_edited(content, EDIT, replace(EDIT, search_path=("$ORIGIN/x",)))))
    assert old == _loads(_read(content))[0]
    assert (new.alignment, new.address % page, new.offset % page) == (page, 0, 0)
    assert old.address + old.memory_size <= new.address


def test_edit_elf_loader_reads_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    library = TinyElf(soname="libfoo.so.3", defines=("foo@FOO_1", "foo2@FOO_2"))
    renamed = _edited(library.build(), ElfEdit(soname="libfoo-01234567.so.3"))
    (tmp_path / "sub/libfoo-01234567.so.3").write_bytes(renamed)
    plain = replace(USER, rpath="", versions={"libfoo.so.3": ("FOO_1", "FOO_2")}, isa=0)
    for number in range(1, 5):
        edits = [replace(EDIT, search_path=(f"$ORIGIN/{n}", "$ORIGIN/sub")) for n in range(number)]
        path = tmp_path / f"libuser{number}.so"
        path.write_bytes(_edited(plain.build(), *edits))
        load = "import ctypes, sys; lib = ctypes.CDLL(sys.argv[1]); lib.user, lib.other, lib.foo"
        subprocess.run([sys.executable, "-c", load, path], check=True)


def test_edit_elf_same_edit_again_changes_nothing() -> None:
    once = _edited(USER.build(), EDIT)
    assert _edited(once, EDIT) == once
    assert _edited(USER.build(), EDIT) == once


def test_edit_elf_many_edits_take_no_more_segments() -> None:
    edits = [replace(EDIT, search_path=(f"$ORIGIN/{number}",)) for number in range(9)]
    loads = _loads(_read(_edited(USER.build(), *edits)))
    assert len(loads) <= 3
    assert all(one.address + one.memory_size <= two.address for one, two in pairwise(loads))


@pytest.mark.parametrize(
    ("elf", "edit", "rpath", "runpath"),
    [
        (TinyElf(rpath="$ORIGIN"), SHORTER, (), ()),
        (TinyElf(runpath="$ORIGIN"), SHORTER, (), ()),
        (TinyElf(rpath="a", runpath="$ORIGIN"), SHORTER, (), ()),
        (TinyElf(rpath="$ORIGIN"), ElfEdit(search_path=("$ORIGIN",), rpath=False), (), "$ORIGIN"),
        (TinyElf(runpath="$ORIGIN"), ElfEdit(search_path=("$ORIGIN",)), "$ORIGIN", ()),
        (TinyElf(), SHORTER, (), ()),
    ],
)
def test_edit_elf_tag_that_changes_or_goes_needs_no_room(
    elf: TinyElf, edit: ElfEdit, rpath: object, runpath: object
) -> None:
    after = _edited(elf.build(), edit)
    found = _read(after)
    assert (found.rpath, found.runpath) == (
        (rpath,) if rpath else (),
        (runpath,) if runpath else (),
    )
    assert len(after) == len(elf.build())
    assert found.needed == elf.needed


def test_edit_elf_spare_entry_is_used_before_the_section_moves() -> None:
    """Entries that went leave room for one that comes."""
    moved = _read(_edited(TinyElf().build(), ElfEdit(search_path=("$ORIGIN",))))
    assert [bool(load.flags & WRITABLE) for load in _loads(moved)] == [True, True]
    content = _edited(TinyElf(rpath="$ORIGIN").build(), SHORTER, ElfEdit(search_path=("a",)))
    assert [bool(load.flags & WRITABLE) for load in _loads(_read(content))] == [True, False]
    assert _read(content).rpath == ("a",)


def test_edit_elf_symbol_of_a_section_that_moves_follows_it() -> None:
    content = bytearray(TinyElf(sections={".symtab": bytes(48)}).build())
    elf = _read(bytes(content))
    number = [section.name for section in elf.sections].index(".dynamic")
    old, table = elf.section(".dynamic"), elf.section(".symtab")
    assert old and table
    struct.pack_into("<LBBHQQ", content, table.offset + 24, 0, 1, 0, number, old.address, 0)
    header = len(content) - 64 * (len(elf.sections) - elf.sections.index(table))
    struct.pack_into("<L", content, header + 4, 2)
    after = _edited(bytes(content), ElfEdit(search_path=("$ORIGIN",)))
    new = _read(after).section(".dynamic")
    assert new and new.address != old.address
    assert struct.unpack_from("<Q", after, table.offset + 32) == (new.address,)


def test_edit_elf_file_beyond_4_gib_is_edited(tmp_path: Path) -> None:
    path = tmp_path / "libuser.so"
    path.write_bytes(replace(USER, needed=("libc.so.6",), versions={}, imports=()).build())
    os.truncate(path, 5 << 30)
    with path.open("r+b") as stream:
        edit_elf(stream, "libuser.so", EDIT)
        elf = read_elf(stream, "libuser.so")
    assert elf is not None and elf.soname == "libuser-01234567.so"
    assert _loads(elf)[-1].offset == 5 << 30
    assert path.stat().st_blocks * 512 < 1 << 20
    assert ctypes.CDLL(str(path)).other


def _without_sections(content: bytes) -> bytes:
    return content[:0x28] + bytes(8) + content[0x30:0x3C] + bytes(4) + content[0x40:]


def _in_two_segments(content: bytes) -> bytes:
    """With the last bytes, `.rodata` and `.dynamic`, loaded by a segment of their own."""
    rodata, dynamic = (_read(content).section(name) for name in (".rodata", ".dynamic"))
    assert rodata and dynamic
    start, end = rodata.offset, dynamic.offset + dynamic.size
    rows = [list(row) for row in struct.iter_unpack("<LLQQQQQQ", content[64 : 64 + 3 * 56])]
    rows[0][5:7] = start, start
    rows[2] = [1, 6, start, start, start, end - start, end - start, 1]
    return content[:64] + b"".join(struct.pack("<LLQQQQQQ", *row) for row in rows) + content[232:]


def _with_size_of(name: str, size: int, content: bytes) -> bytes:
    """With another size in the header of a section."""
    (table,) = struct.unpack_from("<Q", content, 0x28)
    number = [section.name for section in _read(content).sections].index(name)
    place = table + 64 * number + 32
    return content[:place] + struct.pack("<Q", size) + content[place + 8 :]


def _with_dynamic_cut(content: bytes) -> bytes:
    """With the last entry, which ends it, left out of the dynamic segment."""
    place = 64 + 56 + 32
    size = struct.unpack_from("<Q", content, place)[0] - 16
    return content[:place] + struct.pack("<QQ", size, size) + content[place + 16 :]


def _with_headers_of(kind: int, content: bytes) -> bytes:
    """With the type of the first section, the symbols, set to another."""
    (table,) = struct.unpack_from("<Q", content, 0x28)
    return content[: table + 68] + struct.pack("<L", kind) + content[table + 72 :]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x7fELF\1\1\1".ljust(52, b"\0"), "it has words of 32 bits, little end first; only 64"),
        (b"\x7fELF\2\2\1".ljust(64, b"\0"), "it has words of 64 bits, big end first; only 64"),
        (b"\x7fELF\2\1\1".ljust(64, b"\0"), "it is neither a program nor a shared object"),
        (
            b"\x7fELF\2\1\1".ljust(16, b"\0") + b"\3".ljust(48, b"\0"),
            "it has no dynamic section with strings",
        ),
        (b"\x7fELF", "bytes 0 to 16 lie after its end at 4"),
        (
            _without_sections(USER.build()),
            "no section header tells whether there is room for a program header",
        ),
        (
            # The last segment is no block of before: it holds data that no section names.
            _without_sections(_in_two_segments(USER.build())),
            "no section header tells whether there is room for a program header",
        ),
        (
            _with_size_of(".dynsym", 24, USER.build()),
            "no section header tells what lies where a program header has to be",
        ),
        (_with_dynamic_cut(USER.build()), "its dynamic section has no end"),
        (
            _with_headers_of(1, USER.build()),
            "section `.dynsym` lies where a program header has to be",
        ),
    ],
)
def test_edit_elf_file_that_cannot_be_edited_is_left_alone(content: bytes, message: str) -> None:
    stream = io.BytesIO(content)
    with pytest.raises(UneditableError) as raised:
        edit_elf(stream, "pkg/a.so", replace(EDIT, search_path=("$ORIGIN/other",)))
    assert f"`pkg/a.so` cannot be edited: {message}" in str(raised.value)
    assert raised.value.exit_code == 42
    assert stream.getvalue() == content


def test_edit_elf_last_segment_with_data_keeps_its_header() -> None:
    before = _in_two_segments(USER.build())
    assert _loads(_read(_edited(before, EDIT)))[:2] == _loads(_read(before))


def test_edit_elf_block_of_before_with_bytes_that_no_section_names_keeps_its_header() -> None:
    before = _with_size_of(".dynsym", 24, _edited(USER.build(), EDIT))
    assert _loads(_read(_edited(before, ElfEdit(search_path=("$ORIGIN/x",)))))[:2] == (
        _loads(_read(before))
    )


def test_edit_elf_file_without_sections_loses_its_search_path() -> None:
    """What needs no room asks for none."""
    assert _read(_edited(_without_sections(USER.build()), SHORTER)).rpath == ()


@pytest.mark.parametrize("word", [bytes(8), b"\xff" * 8, struct.pack("<Q", 1 << 40)])
def test_edit_elf_damaged_file_is_edited_or_left_alone(word: bytes) -> None:
    """Each word of the tables in turn: no other error, no byte far behind the file."""
    content = USER.build()
    for place in range(8, len(content), 8):
        damaged = content[:place] + word + content[place + 8 :]
        stream = io.BytesIO(damaged)
        try:
            edit_elf(stream, "pkg/a.so", EDIT)
        except UneditableError:
            assert stream.getvalue() == damaged
        assert len(stream.getvalue()) < 4 * len(content) + 0x2000
