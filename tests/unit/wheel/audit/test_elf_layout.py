# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import io
import struct
from dataclasses import replace

import pytest

from tests.support.tiny_elf import TinyElf
from tests.unit.wheel.audit.shown import shown
from tests.unit.wheel.audit.tiny_elf_wheel import elf_wheel, found
from tests.unit.wheel.audit.tiny_facts import elf_file, wheel_facts
from tools.wheel.audit.checks import elf_layout
from tools.wheel.audit.settings import Settings
from tools.wheel.elf.elf_file import ElfFile, Segment
from tools.wheel.elf.reader import read_elf

PROGRAM_HEADER = ("type", "flags", "offset", "vaddr", "paddr", "filesz", "memsz", "align")
SECTION_HEADER = (
    *("name", "type", "flags", "addr", "offset", "size"),
    *("link", "info", "addralign", "entsize"),
)
SOUND = TinyElf(soname="libx.so", versions={"libc.so.6": ("GLIBC_2.17",)})
LOAD = Segment("LOAD", 5, 0, 0, 0x1000, 0x1000, 0x1000)


@pytest.mark.parametrize("check", elf_layout.CHECKS, ids=lambda check: check.id)
def test_elf_layout_sound_file_passes(check: object) -> None:
    assert found(check, elf_wheel({"pkg/libx.so": SOUND})) == []  # type: ignore[arg-type]


def test_executable_stack_is_found() -> None:
    wheel = elf_wheel({"pkg/x.so": TinyElf(stack_flags=7)})
    assert found(elf_layout.executable_stack, wheel) == [
        ("pkg/x.so", "its PT_GNU_STACK segment is executable")
    ]


def test_executable_stack_absent_segment_stands_for_one() -> None:
    old = elf_file("pkg/x.so", segments=(LOAD,))
    arm = replace(old, path="pkg/arm.so", architecture="aarch64")
    assert found(elf_layout.executable_stack, wheel_facts([old, arm])) == [
        (
            "pkg/x.so",
            "it has no PT_GNU_STACK segment, which stands for an executable stack on x86_64",
        )
    ]


def test_version_needs_library_that_is_not_loaded_is_found() -> None:
    renamed = TinyElf(
        needed=("libcudart-1234abcd.so.13", "libc.so.6"),
        versions={"libcudart.so.13": ("libcudart.so.13",)},
    )
    assert found(elf_layout.version_needs, elf_wheel({"pkg/x.so": renamed})) == [
        (
            "pkg/x.so",
            "it asks `libcudart.so.13` for `libcudart.so.13`, which no NEEDED entry loads: the "
            "loader stops with an assertion",
        )
    ]


def test_version_needs_library_loaded_by_another_of_the_wheel_passes() -> None:
    files = {
        "pkg/x.so": TinyElf(needed=("liba.so",), versions={"libb.so.1": ("B_1",)}),
        "pkg/liba.so": TinyElf(soname="liba.so", needed=("libb.so.1",)),
        "pkg/y.so": TinyElf(needed=("libz.so.1",), versions={"libm.so.6": ("GLIBC_2.2.5",)}),
    }
    assert found(elf_layout.version_needs, elf_wheel(files)) == []


def test_version_needs_version_that_the_library_inside_lacks_is_found_with_the_chain() -> None:
    files = {
        "pkg/x.so": TinyElf(needed=("liba.so",), versions={"liba.so": ("A_1", "A_2")}),
        "pkg.libs/liba.so": TinyElf(soname="liba.so", defines=("f@A_1",)),
    }
    (problem,) = elf_layout.version_needs.find(elf_wheel(files), Settings())
    assert problem.what == "it asks `liba.so` for `A_2`, which `pkg.libs/liba.so` does not offer"
    assert problem.chain == ("pkg/x.so", "pkg.libs/liba.so")


def test_segments_small_alignment_is_found_where_pages_are_large() -> None:
    files = {"pkg/x.so": TinyElf(machine=183)}
    name = "pkg-1.0-cp312-cp312-manylinux_2_28_aarch64.whl"
    assert found(elf_layout.segments, elf_wheel(files, name)) == [
        (
            "pkg/x.so",
            "its segment at address 0x0 has alignment 0x1000; the kernel of an aarch64 machine may "
            "have pages of 0x10000",
        )
    ]
    files = {"pkg/x.so": TinyElf(machine=183, alignment=0x10000)}
    assert found(elf_layout.segments, elf_wheel(files, name)) == []


def _edited(table: int, number: int, layout: str, **fields: int) -> ElfFile:
    """A sound file with one header changed: a program header at 64, or a section header."""
    data = bytearray(SOUND.build())
    names = PROGRAM_HEADER if layout == "<2L6Q" else SECTION_HEADER
    place = (table or int.from_bytes(data[40:48], "little")) + number * struct.calcsize(layout)
    values = {**dict(zip(names, struct.unpack_from(layout, data, place), strict=True)), **fields}
    struct.pack_into(layout, data, place, *values.values())
    elf = read_elf(io.BytesIO(data), "pkg/x.so")
    assert elf is not None
    return elf


@pytest.mark.parametrize(
    ("number", "fields", "what"),
    [
        (
            0,
            {"align": 0x1800},
            "its segment at address 0x0 has alignment 0x1800, which is no power of two",
        ),
        (
            2,
            {"type": 1, "vaddr": 0x10000, "offset": 0x10, "align": 0x1000},
            "its segment at address 0x10000 is at offset 0x10: the two differ within a page of "
            "0x1000",
        ),
        (
            0,
            {"memsz": 1},
            "its segment at address 0x0 has more bytes in the file than in memory",
        ),
        (
            0,
            {"filesz": 0x3000, "memsz": 0x3000},
            "its segment at address 0x0 ends after the file, at 0x3000",
        ),
        (
            2,
            {"type": 1, "align": 0x1000},
            "its segments at addresses 0x0 and 0x0 overlap or are out of order",
        ),
    ],
)
def test_segments_that_the_loader_refuses_are_found(
    number: int, fields: dict[str, int], what: str
) -> None:
    sound, bad = _edited(64, number, "<2L6Q"), _edited(64, number, "<2L6Q", **fields)
    assert found(elf_layout.segments, wheel_facts([sound])) == []
    assert found(elf_layout.segments, wheel_facts([bad])) == [("pkg/x.so", what)]


@pytest.mark.parametrize(
    "section",
    [
        {"name": ".dynstr"},
        # Bytes that are not loaded, or not in the file, may be anywhere.
        {"name": ".rodata", "flags": 0, "offset": 0},
        {"name": ".rodata", "type": 8, "offset": 0},
    ],
)
def test_sections_where_their_segment_is_pass(section: dict[str, object]) -> None:
    assert found(elf_layout.sections, wheel_facts([_section_moved(**section)])) == []  # type: ignore[arg-type]


def test_sections_that_no_segment_loads_to_their_address_are_found() -> None:
    bad = _section_moved(".dynstr", offset=0x900)
    (address,) = [section.address for section in bad.sections if section.name == ".dynstr"]
    assert found(elf_layout.sections, wheel_facts([bad])) == [
        (
            "pkg/x.so",
            "section `.dynstr` is said to be at offset 0x900, which no segment loads to its "
            f"address {address:#x}",
        )
    ]


def _section_moved(name: str, **fields: int) -> ElfFile:
    sections = _edited(0, 0, "<2L4Q2L2Q").sections
    (number,) = [at for at, section in enumerate(sections) if section.name == name]
    return _edited(0, number, "<2L4Q2L2Q", **fields)


def test_copies_of_one_library_are_found_under_its_soname() -> None:
    library = TinyElf(soname="libx.so.1")
    paths = ["pkg/libx.so", "pkg/libx.so.1", "pkg/libx.so.1.2", "pkg/other.so"]
    hashes = dict.fromkeys(paths, "sha256=same") | {"pkg/other.so": "sha256=other"}
    wheel = elf_wheel(dict.fromkeys(paths, library), hashes=hashes)
    assert shown(elf_layout.copies, wheel) == (
        "  warning    elf-copies: `pkg/libx.so.1`: it is inside again as `pkg/libx.so`, "
        "`pkg/libx.so.1.2`, 0.2 kB more to install\n"
        "             hint: ship the file once, under its soname; a zip archive has no links, so "
        "each name of a library becomes a file, and a process may load two of them"
    )
    hashes = {path: f"sha256={path}" for path in paths}
    assert found(elf_layout.copies, elf_wheel(dict.fromkeys(paths, library), hashes=hashes)) == []


def test_copies_of_two_builds_of_one_library_are_found() -> None:
    first, second = "pkg.libs/libz-0123abcd.so.1", "pkg.libs/libz-4567cdef-0123abcd.so.1"
    module = TinyElf(needed=("libz-0123abcd.so.1",))
    files = {"pkg/_C.so": module, first: TinyElf(), second: TinyElf()}
    wheel = elf_wheel(files, hashes={path: f"sha256={path}" for path in files})
    assert shown(elf_layout.copies, wheel) == (
        f"  warning    elf-copies: `{first}`: it was `libz.so.1`, and so was `{second}`, of "
        "another build: a process may load both\n"
        f"             chain: pkg/_C.so -> {first}\n"
        "             hint: copy it from one place: link all files with the same build of the "
        "library"
    )
    del files[second]
    wheel = elf_wheel(files, hashes={path: f"sha256={path}" for path in files})
    assert found(elf_layout.copies, wheel) == []


def test_debug_info_is_summed_up_and_files_without_a_build_id_are_named() -> None:
    files = {
        "pkg/a.so": TinyElf(sections={".debug_info": bytes(2_000_000)}, build_id=bytes(20)),
        "pkg/b.so": TinyElf(sections={".debug_line": bytes(1_000_000)}),
        "pkg/c.so": TinyElf(sections={".comment": b"zig"}),
    }
    assert found(elf_layout.debug_info, elf_wheel(files)) == [
        (
            "",
            "3.0 MB of debug information is in `pkg/a.so`, `pkg/b.so`; no build id is in "
            "`pkg/b.so`",
        )
    ]


def test_build_path_in_an_elf_file_is_found() -> None:
    found_paths = {"pkg/x.so": ("/home/me/a.cc", "/home/me/b.cc"), "pkg/data.bin": ("/home/me/c",)}
    wheel = elf_wheel({"pkg/x.so": SOUND}, build_paths=found_paths)
    assert found(elf_layout.build_path, wheel) == [
        ("pkg/x.so", "it holds `/home/me/a.cc`, `/home/me/b.cc`")
    ]
