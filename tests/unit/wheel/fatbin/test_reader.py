# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Fat binaries, sound and damaged."""

import io
import struct
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_fatbin import TinyImage, build_fatbin, build_section
from tools.wheel.elf.elf_file import Section
from tools.wheel.fatbin import reader
from tools.wheel.fatbin.image import DeviceCode, Kind
from tools.wheel.fatbin.reader import read_device_code


def read(content: bytes, name: str = ".nv_fatbin", *, offset: int = 24) -> DeviceCode:
    section = Section(name, "PROGBITS", 0, offset, len(content))
    return read_device_code(io.BytesIO(bytes(offset) + content + b"behind"), [section])


def read_images(*fatbins: Sequence[TinyImage], padding: int = 0) -> DeviceCode:
    return read(build_section(fatbins, padding))


def test_image_of_every_kind_is_named_as_nvcc_names_it() -> None:
    code = read_images(
        [
            TinyImage("elf", 80),
            TinyImage("elf", 90, "a"),
            TinyImage("elf", 100, "f"),
            TinyImage("ptx", 90),
            TinyImage("relocatable ptx", 120, "a"),
            TinyImage("nvvm", 80),
            TinyImage("tile ir", 100),
            TinyImage(0x4000, 130),
        ]
    )
    assert [image.name for image in code.images] == [
        "sm_80",
        "sm_90a",
        "sm_100f",
        "compute_90",
        "compute_120a",
        "ir_80",
        "ir_100",
        "other_130",
    ]
    assert code.images[-1].kind is Kind.OTHER
    assert code.problems == ()


@pytest.mark.parametrize(("compression", "unpacked"), [("none", 64), ("lz4", 192), ("zstd", 192)])
def test_image_compressed_or_not_has_both_sizes(compression: str, unpacked: int) -> None:
    (image,) = read_images([TinyImage(compression=compression)]).images
    assert (image.compression, image.size, image.unpacked_size) == (compression, 64, unpacked)


def test_image_with_identifier_and_version_has_them() -> None:
    (image,) = read_images([TinyImage("ptx", version=(9, 0), identifier="rms_norm.cu")]).images
    assert (image.identifier, image.version) == ("rms_norm.cu", (9, 0))


@pytest.mark.parametrize("padding", [0, 8, 2 << 20])
def test_fat_binaries_in_a_row_are_numbered_groups(padding: int) -> None:
    code = read_images(
        [TinyImage(arch=80), TinyImage(arch=90)], [TinyImage(arch=80)], padding=padding
    )
    assert [(image.name, image.group) for image in code.images] == [
        ("sm_80", 0),
        ("sm_90", 0),
        ("sm_80", 1),
    ]
    assert [str(group) for group in code.groups] == ["fat binary 0", "fat binary 1"]


def test_section_of_unlinked_code_gives_relocatable_images() -> None:
    linked, unlinked = build_fatbin([TinyImage()]), build_fatbin([TinyImage("ptx", 90)])
    sections = [
        Section(".nv_fatbin", "PROGBITS", 0, 0, len(linked)),
        Section("__nv_relfatbin", "PROGBITS", 0, len(linked), len(unlinked)),
    ]
    code = read_device_code(io.BytesIO(linked + unlinked), sections)
    assert [(image.name, image.relocatable) for image in code.images] == [
        ("sm_80", False),
        ("compute_90", True),
    ]
    (group,) = code.groups
    assert [image.name for image in group.spare] == ["compute_90"]


def test_sections_without_device_code_are_left_alone() -> None:
    assert read(b"\1" * 64, ".rodata") == DeviceCode(())
    empty = Section(".nv_fatbin", "NOBITS", 0, 0, 1 << 40)
    assert read_device_code(io.BytesIO(), [empty]) == DeviceCode(())
    assert read(b"") == DeviceCode(())
    assert read(bytes(3 << 20)) == DeviceCode(())


def damaged(offset: int, layout: str, value: int) -> bytes:
    content = bytearray(build_fatbin([TinyImage(arch=80), TinyImage(arch=90)]))
    struct.pack_into(layout, content, offset, value)
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "images", "problem"),
    [
        (b"\1" * 64, 0, "byte 0 of the section starts with 0x01010101, version 257"),
        (damaged(4, "<H", 7), 0, "byte 0 of the section starts with 0xba55ed50, version 7"),
        (damaged(8, "<Q", 1 << 60), 0, f"it claims {1 << 60} bytes, more than the section has"),
        (damaged(8, "<Q", 130), 1, "an entry claims a header of 64 and code of 64 bytes"),
        (damaged(20, "<I", 8), 0, "an entry claims a header of 8 and code of 64 bytes"),
        (
            damaged(20, "<I", 1 << 31),
            0,
            f"an entry claims a header of {1 << 31} and code of 64 bytes",
        ),
        (
            damaged(24, "<Q", 1 << 63),
            0,
            f"an entry claims a header of 64 and code of {1 << 63} bytes",
        ),
        (build_fatbin([TinyImage()])[:12], 0, "it ends early"),
    ],
)
def test_fat_binary_damaged_is_a_problem_and_no_crash(
    content: bytes, images: int, problem: str
) -> None:
    code = read(content)
    assert len(code.images) == images
    assert code.problems == (f"fat binary 0, in section `.nv_fatbin`, cannot be read: {problem}",)


def test_fat_binary_behind_a_sound_one_is_counted() -> None:
    code = read(build_fatbin([TinyImage()]) + b"\1" * 16)
    assert [image.name for image in code.images] == ["sm_80"]
    assert code.problems[0].startswith(
        "fat binary 1, in section `.nv_fatbin`, cannot be read: byte 144"
    )


def test_section_that_ends_after_the_file_is_a_problem() -> None:
    content = build_fatbin([TinyImage()])
    section = Section(".nv_fatbin", "PROGBITS", 0, 8, 1 << 50)
    code = read_device_code(io.BytesIO(bytes(8) + content), [section])
    assert [image.name for image in code.images] == ["sm_80"]
    assert code.problems == (
        "fat binary 1, in section `.nv_fatbin`, cannot be read: it ends early",
    )


def test_identifier_outside_its_header_is_left_out() -> None:
    content = bytearray(build_fatbin([TinyImage(identifier="a.cu")]))
    struct.pack_into("<I", content, 16 + 36, 1 << 30)
    (image,) = read(bytes(content)).images
    assert image.identifier == ""


def _cubin(*kernels: str, **fields: int) -> bytes:
    """Machine code with these kernels, whose ELF header may lie."""
    code = bytearray(TinyElf(sections={f".text.{name}": bytes(8) for name in kernels}).build())
    layout = {"shoff": (40, "<Q"), "shentsize": (58, "<H"), "shstrndx": (62, "<H")}
    for name, value in fields.items():
        struct.pack_into(layout[name][1], code, layout[name][0], value)
    return bytes(code)


def test_fat_binary_without_identifier_is_known_by_its_first_kernel() -> None:
    named = TinyImage(code=_cubin("rms_norm", "silu"), identifier="a.cu")
    code = read_images(
        [TinyImage("ptx"), TinyImage(code=_cubin("rms_norm", "silu"))],
        [named],
        [TinyImage(code=_cubin("lost"), compression="zstd")],
        [TinyImage(code=_cubin("k" * 121))],
    )
    assert [str(group) for group in code.groups] == [
        "fat binary 0 (kernel `rms_norm`)",
        "fat binary 1 (`a.cu`)",
        "fat binary 2",
        f"fat binary 3 (kernel `{'k' * 120}...`)",
    ]
    assert code.problems == ()


@pytest.mark.parametrize(
    "code",
    [
        bytes(40),
        bytes(64),
        _cubin(),
        _cubin("a", shoff=(1 << 64) - 1),
        _cubin("a", shoff=1 << 20),
        _cubin("a", shentsize=1),
        _cubin("a", shstrndx=500),
        # The first section header, of zeros: no names.
        _cubin("a", shstrndx=0),
    ],
)
def test_kernel_that_cannot_be_read_is_left_out(code: bytes) -> None:
    found = read_images([TinyImage(code=code)])
    assert [image.kernel for image in found.images] == [""]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (build_fatbin([]) * 200, "fat binaries"),
        (build_fatbin([TinyImage(size=0)] * 200), "images"),
    ],
)
def test_section_of_endless_headers_is_given_up(
    content: bytes, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_MOST_IMAGES", 100)
    code = read(content)
    assert len(code.images) <= 100
    assert code.problems[0].endswith(f"cannot be read: there are more than 100 {what}")


@settings(max_examples=200, deadline=None)
@given(
    changes=st.lists(st.tuples(st.integers(0, 1800), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, 1800),
)
def test_section_with_any_bytes_is_read_or_is_a_problem(
    changes: list[tuple[int, int]], cut: int
) -> None:
    content = bytearray(
        build_section(
            [[TinyImage(identifier="a.cu"), TinyImage("ptx", 90)], [TinyImage(code=_cubin("a"))]]
        )
    )
    for offset, value in changes:
        content[offset % len(content)] = value
    code = read(bytes(content[: max(0, len(content) - cut)]))
    assert len(code.images) + len(code.problems) <= 10
