# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which image of a fat binary differs, and where in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from tools.wheel.elf.elf_file import Section
from tools.wheel.fatbin.image import DeviceImage, KernelGroup, Kind
from tools.wheel.fatbin.reader import read_device_code

from .difference import Findings, compare_bytes, sides
from .text import compare_text

#: Sections that hold fat binaries.
DEVICE_SECTIONS = (".nv_fatbin", "__nv_relfatbin")


def compare_device_code(
    first: tuple[IO[bytes], Section],
    second: tuple[IO[bytes], Section],
    compare_elf: Callable[[bytes, bytes], Findings],
) -> Findings:
    """Every image that differs; nothing where only headers and padding do.

    Args:
        first: a file and its section of GPU code.
        second: those of the other wheel.
        compare_elf: compares machine code that is not compressed.
    """
    images = [read_device_code(stream, [section]).images for stream, section in (first, second)]
    for one, other in zip(*images, strict=False):
        part = f"{KernelGroup(one.group, (one,))}, image {one.name}"
        if _described(one) != _described(other):
            yield part, sides(_described(one), _described(other))
            continue
        codes = _code(first[0], one), _code(second[0], other)
        if codes[0] == codes[1]:
            continue
        found: Findings
        if one.compression != "none":
            found = (
                (f"{place} of code compressed by {one.compression}", what)
                for place, what in compare_bytes(*codes)
            )
        elif one.kind is Kind.PTX:
            found = compare_text(*(code.decode("utf-8", "backslashreplace") for code in codes))
        elif one.kind is Kind.MACHINE_CODE:
            found = compare_elf(*codes)
        else:
            found = compare_bytes(*codes)
        yield from ((f"{part}, {place}", what) for place, what in found)
    counts = [len(found) for found in images]
    if counts[0] != counts[1]:
        yield "number of images", sides(*counts)


def _described(image: DeviceImage) -> str:
    known = image.identifier or image.kernel
    of = f" of `{known}`" if known else ""
    version = ".".join(map(str, image.version))
    packed = f"compression {image.compression}"
    return f"{image.kind.value} {image.name}{of}, version {version}, {packed}"


def _code(stream: IO[bytes], image: DeviceImage) -> bytes:
    stream.seek(image.offset)
    return stream.read(image.size)
