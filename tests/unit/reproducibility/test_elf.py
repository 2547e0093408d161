# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Two ELF files: which section differs, where, and which image of GPU code."""

import struct
from dataclasses import replace

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_fatbin import TinyImage, build_section
from tools.reproducibility.elf import compare_elf

_ELF = TinyElf(
    soname="libk.so",
    payload=b"built by one" + bytes(20),
    sections={".text": bytes(range(32)), ".comment": b"zig 0.13\0"},
    build_id=b"\x11" * 20,
)


def found(first: TinyElf, second: TinyElf) -> list[tuple[str, str]]:
    return list(compare_elf(first.build(), second.build()))


def with_sections(**sections: bytes) -> TinyElf:
    named = {f".{name}": content for name, content in sections.items()}
    return replace(_ELF, sections={**_ELF.sections, **named})


def test_elf_same_bytes_has_no_difference() -> None:
    assert found(_ELF, _ELF) == []


def test_elf_code_differs_names_section_byte_and_size() -> None:
    other = with_sections(text=bytes(range(30)) + b"\xff\xfe")
    assert found(_ELF, other) == [
        (
            "section `.text`",
            "from byte 0x1e of 32 bytes: 1e 1f in the first, ff fe in the second",
        )
    ]


def test_elf_string_differs_is_shown_as_text() -> None:
    other = replace(_ELF, payload=b"built by two" + bytes(20))
    assert found(_ELF, other) == [
        (
            "section `.rodata`",
            "from byte 0x9 of 32 bytes: `built by one` in the first, `built by two` in the second",
        )
    ]


def test_elf_comment_differs_says_what_the_section_holds() -> None:
    assert found(_ELF, with_sections(comment=b"zig 0.14\0")) == [
        (
            "section `.comment` (versions of the compilers)",
            "from byte 0x7 of 9 bytes: `zig 0.13` in the first, `zig 0.14` in the second",
        )
    ]


def test_elf_debug_information_differs_says_so() -> None:
    (difference,) = found(
        with_sections(debug_str=b"/home/a\0"), with_sections(debug_str=b"/home/b\0")
    )
    assert difference == (
        "section `.debug_str` (debug information, often with folders of the build)",
        "from byte 0x6 of 8 bytes: `/home/a` in the first, `/home/b` in the second",
    )


def test_elf_build_id_differs_shows_both() -> None:
    assert found(_ELF, replace(_ELF, build_id=b"\x22" * 20)) == [
        ("section `.note.gnu.build-id`", f"{'11' * 20} in the first, {'22' * 20} in the second")
    ]


def test_elf_longer_section_names_the_ones_that_it_moved() -> None:
    differences = found(_ELF, with_sections(text=bytes(range(32)) + bytes(16)))
    assert differences == [
        (
            "section `.text`",
            "from byte 0x20 of 32 bytes in the first, 48 in the second: the end in the first, "
            "00 00 00 00 00 00 00 00 in the second",
        ),
        ("sections moved", "the same content at another place: .comment, .shstrtab"),
    ]


def test_elf_section_only_in_one_is_named() -> None:
    assert ("section `.extra`", "only in the second, 3 bytes") in found(
        _ELF, with_sections(extra=b"abc")
    )
    assert ("section `.extra`", "only in the first, 3 bytes") in found(
        with_sections(extra=b"abc"), _ELF
    )


def test_elf_program_header_differs_shows_flags() -> None:
    (difference,) = found(_ELF, replace(_ELF, stack_flags=7))
    assert difference[0].startswith("program header ")
    assert difference[1] == (
        "GNU_STACK with flags 6, aligned to 16 in the first, "
        "GNU_STACK with flags 7, aligned to 16 in the second"
    )


def test_elf_header_differs_is_outside_of_every_section() -> None:
    first = _ELF.build()
    second = bytearray(first)
    struct.pack_into("<L", second, 48, 1)  # e_flags
    (difference,) = compare_elf(first, bytes(second))
    assert difference[0] == "byte 0x30, outside of every section"


def test_elf_damaged_is_compared_as_bytes() -> None:
    assert list(compare_elf(b"\x7fELF\2\1\1", b"\x7fELF\2\1\3")) == [
        ("byte 0x6", "01 in the first, 03 in the second (7 bytes)")
    ]


def gpu(*images: TinyImage) -> TinyElf:
    return replace(_ELF, sections={".nv_fatbin": build_section([images])})


def test_device_code_differs_names_fat_binary_image_and_byte() -> None:
    code = bytes(64)
    first = gpu(
        TinyImage(arch=80, identifier="norm.cu"), TinyImage("ptx", 90, code=b"add;\nret;\n")
    )
    second = gpu(
        TinyImage(arch=80, identifier="norm.cu", code=code[:40] + b"\1" + code[41:]),
        TinyImage("ptx", 90, code=b"add;\nbar;\n"),
    )
    assert found(first, second) == [
        (
            "section `.nv_fatbin`, fat binary 0 (`norm.cu`), image sm_80, byte 0x28",
            "00 00 00 00 00 00 00 00 in the first, 01 00 00 00 00 00 00 00 in the second "
            "(64 bytes)",
        ),
        (
            "section `.nv_fatbin`, fat binary 0, image compute_90, line 2",
            r"'ret;\n' in the first, 'bar;\n' in the second",
        ),
    ]


def test_device_code_that_is_elf_names_its_section() -> None:
    kernels = [
        TinyElf(sections={".text.norm": content}, machine=190).build()
        for content in (b"\1\2\3\4", b"\1\2\3\5")
    ]
    (difference,) = found(*(gpu(TinyImage(arch=90, code=code)) for code in kernels))
    assert difference == (
        "section `.nv_fatbin`, fat binary 0 (kernel `norm`), image sm_90, section `.text.norm`",
        "from byte 0x3 of 4 bytes: 04 in the first, 05 in the second",
    )


def test_device_code_compressed_names_the_compression() -> None:
    first, second = (gpu(TinyImage(compression="zstd", code=code)) for code in (b"ab", b"ac"))
    (difference,) = found(first, second)
    assert difference == (
        "section `.nv_fatbin`, fat binary 0, image sm_80, byte 0x1 of code compressed by zstd",
        "62 in the first, 63 in the second (2 bytes)",
    )


def test_device_code_for_another_gpu_shows_both_images() -> None:
    (difference,) = found(gpu(TinyImage(arch=80)), gpu(TinyImage(arch=86)))
    assert difference == (
        "section `.nv_fatbin`, fat binary 0, image sm_80",
        "machine code sm_80, version 1.7, compression none in the first, "
        "machine code sm_86, version 1.7, compression none in the second",
    )


def test_device_code_with_an_image_less_counts_both() -> None:
    differences = found(gpu(TinyImage(arch=80), TinyImage(arch=90)), gpu(TinyImage(arch=80)))
    assert ("section `.nv_fatbin`, number of images", "2 in the first, 1 in the second") in (
        differences
    )


def test_symbol_around_the_place_is_named() -> None:
    """Symbols lie in the section `.symtab` as a linker writes them."""
    first = _with_symbol(_ELF, b"tw_greet", size=16)
    second = _with_symbol(replace(_ELF, payload=b"built by two" + bytes(20)), b"tw_greet", size=16)
    (difference,) = compare_elf(first, second)
    assert difference == (
        "section `.rodata`",
        "from byte 0x9 of 32 bytes, in `tw_greet+0x9`: "
        "`built by one` in the first, `built by two` in the second",
    )


def test_symbol_whose_entry_differs_is_named() -> None:
    first, second = (_with_symbol(_ELF, b"tw_greet", size=size) for size in (16, 17))
    assert list(compare_elf(first, second)) == [
        (
            "section `.symtab` (symbols for debuggers)",
            "from byte 0x28 of 48 bytes, in `tw_greet`: 10 00 00 00 00 00 00 00 in the first, "
            "11 00 00 00 00 00 00 00 in the second",
        )
    ]


def test_symbol_with_a_damaged_name_leaves_the_section_named() -> None:
    first = _with_symbol(_ELF, b"tw_greet", size=16)
    second = bytearray(first)
    second[first.index(struct.pack("<LBB", 1, 0x11, 0)) + 3] = 0xFF
    assert list(compare_elf(first, bytes(second))) == [
        (
            "section `.symtab` (symbols for debuggers)",
            "from byte 0x1b of 48 bytes, in `tw_greet` in the first, no symbol in the second: "
            "00 11 00 05 00 88 01 00 in the first, ff 11 00 05 00 88 01 00 in the second",
        )
    ]


def _with_symbol(elf: TinyElf, name: bytes, size: int) -> bytes:
    """The shared object with a symbol over the start of `.rodata`, which lies where it is."""
    place = replace(elf, sections={".symtab": bytes(48), ".strtab": b"\0" + name + b"\0"}).build()
    offset = place.index(elf.payload)
    symbol = bytes(24) + struct.pack("<LBBHQQ", 1, 0x11, 0, 5, offset, size)
    tables = {".symtab": symbol, ".strtab": b"\0" + name + b"\0"}
    return replace(elf, sections=tables).build()
