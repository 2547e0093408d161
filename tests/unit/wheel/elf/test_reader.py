# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import hashlib
import io
import struct

import pytest

from tests.support.tiny_elf import TinyElf
from tools.wheel.elf import notes
from tools.wheel.elf.elf_file import Binding, ElfFile, Symbol
from tools.wheel.elf.errors import BadElfError
from tools.wheel.elf.reader import read_elf

#: Places in the file header.
KIND, MACHINE, SEGMENTS, SECTIONS = 16, 18, 32, 40
SEGMENT_COUNT, SECTION_SIZE, SECTION_COUNT = 56, 58, 60
#: Tag of the dynamic section.
VERNEEDNUM = 0x6FFFFFFF


def read(elf: TinyElf) -> ElfFile:
    """The facts of an ELF file."""
    found = read_elf(io.BytesIO(elf.build()), "pkg/x.so")
    assert found is not None
    return found


def changed(elf: TinyElf, place: int, layout: str, value: int) -> io.BytesIO:
    """The file with a number in it replaced."""
    image = bytearray(elf.build())
    struct.pack_into(layout, image, place, value)
    return io.BytesIO(image)


def test_read_elf_reports_the_dynamic_section() -> None:
    found = read(
        TinyElf(
            soname="libx.so.1",
            needed=("libc.so.6", "libcudart.so.13"),
            runpath="$ORIGIN/lib:$ORIGIN",
            versions={"libm.so.6": ("GLIBC_2.27",), "libc.so.6": ("GLIBC_2.17", "GLIBC_2.14")},
        )
    )
    assert found.architecture == "x86_64"
    assert found.soname == "libx.so.1"
    assert found.needed == ("libc.so.6", "libcudart.so.13")
    assert found.rpath == ()
    assert found.runpath == ("$ORIGIN/lib", "$ORIGIN")
    assert found.versions == (
        ("libc.so.6", ("GLIBC_2.14", "GLIBC_2.17")),
        ("libm.so.6", ("GLIBC_2.27",)),
    )


def test_read_elf_reports_symbols_with_the_library_that_a_version_is_asked_of() -> None:
    found = read(
        TinyElf(
            versions={"libc.so.6": ("GLIBC_2.17",)},
            imports=("memcpy@GLIBC_2.17", "PyList_New"),
            weak_imports=("__gmon_start__",),
            defines=("f@LIBX_1", "g"),
        )
    )
    assert found.imports == (
        Symbol("memcpy", "GLIBC_2.17", "libc.so.6", Binding.GLOBAL, False),
        Symbol("PyList_New", "", "", Binding.GLOBAL, False),
        Symbol("__gmon_start__", "", "", Binding.WEAK, False),
    )
    assert found.exports == (
        Symbol("f", "LIBX_1", "", Binding.GLOBAL, True),
        Symbol("g", "", "", Binding.GLOBAL, True),
    )
    assert found.defined_versions == ("LIBX_1",)


def test_read_elf_version_that_may_be_absent_is_kept_apart() -> None:
    versions = {"libc.so.6": ("GLIBC_2.17", "GLIBC_2.99")}
    found = read(TinyElf(versions=versions, weak_versions=("GLIBC_2.99",)))
    assert found.versions == (("libc.so.6", ("GLIBC_2.17",)),)
    assert found.weak_versions == (("libc.so.6", ("GLIBC_2.99",)),)


def test_read_elf_reports_notes() -> None:
    found = read(TinyElf(isa=4, build_id=bytes(range(20))))
    assert found.isa == "x86-64-v3"
    assert found.build_id == bytes(range(20)).hex()
    assert (read(TinyElf()).isa, read(TinyElf()).build_id) == ("", "")


def test_read_elf_hashes_device_code() -> None:
    found = read(TinyElf(sections={".nv_fatbin": b"code", ".comment": b"zig"}))
    fatbin, comment = found.section(".nv_fatbin"), found.section(".comment")
    assert fatbin is not None and fatbin.sha256 == hashlib.sha256(b"code").hexdigest()
    assert comment is not None and (comment.sha256, comment.size) == ("", 3)
    assert found.section(".text") is None


def test_read_elf_program_is_told_from_a_library() -> None:
    assert not read(TinyElf()).executable
    assert read(TinyElf(interpreter="/lib64/ld-linux-x86-64.so.2")).executable
    fixed = read_elf(changed(TinyElf(), KIND, "<H", 2), "x")
    assert fixed is not None and fixed.executable


def test_read_elf_needs_no_section_headers() -> None:
    elf = TinyElf(versions={"libc.so.6": ("GLIBC_2.17",)}, imports=("a@GLIBC_2.17", "b"))
    image = bytearray(elf.build())
    struct.pack_into("<Q", image, SECTIONS, 0)
    struct.pack_into("<HH", image, SECTION_COUNT, 0, 0)
    found = read_elf(io.BytesIO(image), "x")
    assert found is not None
    assert [str(symbol) for symbol in found.imports] == ["a@GLIBC_2.17", "b"]
    assert found.sections == ()


@pytest.mark.parametrize(
    ("machine", "architecture"), [(183, "aarch64"), (94, "ELF machine 94"), (62, "x86_64")]
)
def test_read_elf_machine_is_named(machine: int, architecture: str) -> None:
    assert read(TinyElf(machine=machine)).architecture == architecture


def test_search_path_runpath_hides_rpath() -> None:
    assert read(TinyElf(rpath="$ORIGIN/a", runpath="$ORIGIN/b")).search_path == ("$ORIGIN/b",)


@pytest.mark.parametrize(("place", "value"), [(KIND, 1), (KIND, 4), (MACHINE, 190)])
def test_read_elf_file_that_is_never_loaded_is_passed_over(place: int, value: int) -> None:
    assert read_elf(changed(TinyElf(), place, "<H", value), "x.o") is None


@pytest.mark.parametrize("size", [4, 20, 64, 200, 600])
def test_read_elf_truncated_file_is_refused(size: int) -> None:
    with pytest.raises(BadElfError, match=r"`pkg/x\.so` is no readable ELF file: "):
        read_elf(io.BytesIO(TinyElf().build()[:size]), "pkg/x.so")


@pytest.mark.parametrize(
    ("place", "layout", "value", "message"),
    [
        (SEGMENTS, "<Q", 1 << 62, "lie after its end"),
        (SECTIONS, "<Q", 1 << 62, "lie after its end"),
        (SEGMENT_COUNT, "<H", 0xFFFF, "lie after its end"),
        (SECTION_SIZE, "<H", 0, "headers of 0 bytes each are none of a real file"),
        # The size of the dynamic segment, which is the second.
        (64 + 56 + 32, "<Q", 1 << 40, "a dynamic section of 68719476736 entries"),
    ],
)
def test_read_elf_absurd_header_is_refused(
    place: int, layout: str, value: int, message: str
) -> None:
    with pytest.raises(BadElfError, match=message):
        read_elf(changed(TinyElf(), place, layout, value), "pkg/x.so")


def test_read_elf_section_that_claims_more_than_any_file_is_refused() -> None:
    image = bytearray(TinyElf().build())
    (table,) = struct.unpack_from("<Q", image, SECTIONS)
    # The size of the last section, which has the names.
    struct.pack_into("<Q", image, len(image) - 64 + 32, 1 << 50)
    assert table < len(image)
    with pytest.raises(BadElfError, match="a table of 1125899906842624 bytes is none of a real"):
        read_elf(io.BytesIO(image), "pkg/x.so")


def _place_of(elf: TinyElf, name: str) -> int:
    """Where the header of a section is."""
    content = elf.build()
    (table,) = struct.unpack_from("<Q", content, SECTIONS)
    found = read_elf(io.BytesIO(content), "pkg/x.so")
    assert found is not None
    return int(table) + 64 * [section.name for section in found.sections].index(name)


def test_read_elf_sections_within_each_other_are_refused() -> None:
    """Else a file of a megabyte would have hours of hashing in it."""
    elf = TinyElf(sections={".nv_fatbin": bytes(1 << 16), "__nv_relfatbin": b"-"})
    image = bytearray(elf.build())
    one, other = (_place_of(elf, name) for name in elf.sections)
    image[other + 24 : other + 40] = image[one + 24 : one + 40]
    message = rf"sections `.nv_fatbin`, `__nv_relfatbin` have 131072 bytes, the file {len(image)}"
    with pytest.raises(BadElfError, match=message):
        read_elf(io.BytesIO(image), "pkg/x.so")


def test_read_elf_debug_information_kept_apart_has_no_device_code() -> None:
    elf = TinyElf(sections={".nv_fatbin": b"code"})
    header, (kind, offset, size) = _place_of(elf, ".nv_fatbin"), (8, 1 << 20, 1 << 20)
    image = bytearray(elf.build())
    struct.pack_into("<L", image, header + 4, kind)
    struct.pack_into("<QQ", image, header + 24, offset, size)
    found = read_elf(io.BytesIO(image), "pkg/x.debug")
    assert found is not None
    section = found.section(".nv_fatbin")
    assert section is not None
    assert (section.kind, section.sha256) == ("NOBITS", "")


def test_read_elf_names_within_each_other_are_refused() -> None:
    """Else a file of a megabyte would fill the memory with names."""
    elf = TinyElf(needed=("n" * (1 << 20),) * 200)
    with pytest.raises(BadElfError, match="its names are longer than those of any real file"):
        read_elf(io.BytesIO(elf.build()), "pkg/x.so")


def test_read_elf_notes_are_read_up_to_a_limit_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    elf = TinyElf(isa=4, build_id=bytes(20))
    assert (read(elf).isa, read(elf).build_id) == ("x86-64-v3", "00" * 20)
    monkeypatch.setattr(notes, "_LIMIT", 40)
    assert (read(elf).isa, read(elf).build_id) == ("x86-64-v3", "")


def test_read_elf_more_version_needs_than_there_can_be_are_refused() -> None:
    image = bytearray(TinyElf(versions={"libc.so.6": ("GLIBC_2.17",)}).build())
    tag = image.index(struct.pack("<QQ", VERNEEDNUM, 1))
    (address,) = struct.unpack_from("<Q", image, tag - 8)
    # One library, asked for the same version again and again, behind the end of the old file.
    struct.pack_into("<HHLLL", image, address, 1, 0xFFFF, 0, len(image) - address, 0)
    again = struct.pack("<LHHLL", 0, 0, 2, 0, 16)
    with pytest.raises(BadElfError, match="more symbol versions than there can be"):
        read_elf(io.BytesIO(image + again * 40_000), "pkg/x.so")


@pytest.mark.parametrize(
    "elf",
    [TinyElf(imports=("a",)), TinyElf(versions={"libc.so.6": ("GLIBC_2.17",)}, defines=("a@V",))],
)
def test_read_elf_any_wrong_byte_is_read_or_refused(elf: TinyElf) -> None:
    good = elf.build()
    for place in range(4, len(good)):
        image = bytearray(good)
        image[place] = 0xFF
        try:
            read_elf(io.BytesIO(image), "x")
        except BadElfError:
            continue
