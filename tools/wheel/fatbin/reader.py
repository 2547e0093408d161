# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads fat binaries: headers alone, so that time and memory do not grow with the code.

The format is not published. What follows holds for nvcc 11 to 13; tests/e2e/cuobjdump compares it
with NVIDIA's own reader. All numbers are little-endian. A section is a row of fat binaries, each at
a multiple of 8 bytes:

    magic 0xba55ed50, u16 version 1, u16 size of this header, u64 size of the entries

and the entries, one after the other:

    u16 kind, u16 version 0x101, u32 size of this header, u64 size of the code with padding,
    u32 size of the compressed code, u32 offset of compiler options, u16 minor, u16 major version,
    u32 architecture, u32 offset and u32 length of the identifier, u64 flags, u64 reserved,
    u64 size of the code once unpacked, the identifier and what else the header has, the code

Offsets are from the start of the entry's header.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from ..elf.elf_file import Section
from .arch import GpuArch
from .image import DeviceCode, DeviceImage, Kind

_MAGIC = 0xBA55ED50
_HEADER = struct.Struct("<IHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
_ALIGNMENT = 8

#: Of the ELF file that machine code is: where its section headers are, their number, and which of
#: them has their names; of a section header: offset and size.
_CODE_HEADER = struct.Struct("<4s36xQ10x3H")
_CODE_SECTION = struct.Struct("<24x2Q24x")

#: What the section of a kernel is called, before the kernel's own name.
_KERNEL = b".text."

#: Section names, and whether their code is still to be linked.
_SECTIONS = {".nv_fatbin": False, "__nv_relfatbin": True}

#: cuobjdump calls them ptx, elf, nvvm, (nothing, but takes it for an ELF file), relocatable ptx and
#: tile ir.
_KINDS = {
    1: Kind.PTX,
    2: Kind.MACHINE_CODE,
    8: Kind.INTERMEDIATE,
    16: Kind.MACHINE_CODE,
    64: Kind.PTX,
    128: Kind.INTERMEDIATE,
}
_LZ4, _ZSTD, _COMPRESSED = 1 << 13, 1 << 15, 0xF << 12
_ARCH_SPECIFIC, _FAMILY_SPECIFIC = 1 << 20, 1 << 21

#: Bounds of what is believed: libcublasLt, the richest library known, has some ten thousand images.
_MOST_IMAGES = 1 << 18
_LONGEST_HEADER = 1 << 16
_SHORT, _LONG = 1 << 6, 1 << 20
#: Bytes of section names in which the first kernel is looked for; compilers put it near the start.
_NAMES = 1 << 14
#: Characters kept of a kernel's name; those of templates have thousands.
_NAME = 120


class _FormatError(Exception):
    """The bytes are no fat binary."""


def read_device_code(stream: IO[bytes], sections: Iterable[Section]) -> DeviceCode:
    """Read the GPU code of an ELF file.

    Args:
        stream: the file, seekable.
        sections: its sections.

    Returns:
        The images of all fat binaries. What cannot be read is named in `problems`, and the rest of
        its section is left out.
    """
    images: list[DeviceImage] = []
    problems = []
    group = 0
    for section in sections:
        if section.name not in _SECTIONS or section.kind == "NOBITS":
            continue
        region = _Region(stream, section.offset, section.offset + section.size)
        try:
            for fatbin in region.fatbins():
                if group == _MOST_IMAGES:
                    raise _FormatError(f"there are more than {_MOST_IMAGES} fat binaries")
                for image in region.images(fatbin, group, relocatable=_SECTIONS[section.name]):
                    if len(images) == _MOST_IMAGES:
                        raise _FormatError(f"there are more than {_MOST_IMAGES} images")
                    images.append(image)
                group += 1
        except _FormatError as error:
            problems.append(
                f"fat binary {group}, in section `{section.name}`, cannot be read: {error}"
            )
    return DeviceCode(tuple(images), tuple(problems))


@dataclass(frozen=True)
class _Range:
    """Entries of a fat binary, in bytes of the file."""

    start: int
    end: int


@dataclass(frozen=True)
class _Region:
    """Part of a file that holds fat binaries one after the other."""

    stream: IO[bytes]
    start: int
    end: int

    def fatbins(self) -> Iterator[_Range]:
        position = self._after_padding(self.start)
        while position < self.end:
            magic, version, header_size, size = _HEADER.unpack(self._read(position, _HEADER.size))
            if magic != _MAGIC or version != 1 or header_size < _HEADER.size:
                raise _FormatError(
                    f"byte {position - self.start} of the section starts with {magic:#010x}, "
                    f"version {version}"
                )
            entries = _Range(position + header_size, position + header_size + size)
            if entries.end > self.end:
                raise _FormatError(f"it claims {size} bytes, more than the section has")
            yield entries
            position = self._after_padding(entries.end)

    def images(self, fatbin: _Range, group: int, *, relocatable: bool) -> Iterator[DeviceImage]:
        position = fatbin.start
        while position < fatbin.end:
            fields = _ENTRY.unpack(self._read(position, _ENTRY.size))
            kind, _, header_size, size, _, _, minor, major, arch = fields[:9]
            flags, unpacked_size = fields[11], fields[13]
            following = position + header_size + size
            if not _ENTRY.size <= header_size <= _LONGEST_HEADER or following > fatbin.end:
                raise _FormatError(
                    f"an entry claims a header of {header_size} and code of {size} bytes"
                )
            identifier = self._identifier(position, header_size, fields[9], fields[10])
            kernel = ""
            if not identifier and not flags & _COMPRESSED:
                kernel = self._first_kernel(_Range(position + header_size, following))
            yield DeviceImage(
                kind=_KINDS.get(kind, Kind.OTHER),
                arch=GpuArch(arch, _feature_set(flags)),
                version=(major, minor),
                size=size,
                unpacked_size=unpacked_size if flags & _COMPRESSED else size,
                compression=_compression(flags),
                group=group,
                identifier=identifier,
                kernel=kernel,
                relocatable=relocatable,
                offset=position + header_size,
            )
            position = following

    def _identifier(self, entry: int, header_size: int, offset: int, length: int) -> str:
        if offset < _ENTRY.size or offset + length > header_size:
            return ""
        return self._read(entry + offset, length).decode("utf-8", "backslashreplace")

    def _first_kernel(self, code: _Range) -> str:
        """Name of the first kernel in code that is not compressed; "" where none is found."""
        if code.end - code.start < _CODE_HEADER.size:
            return ""
        magic, table, entry_size, count, names = _CODE_HEADER.unpack(
            self._read(code.start, _CODE_HEADER.size)
        )
        place = code.start + table + names * entry_size
        if magic != b"\x7fELF" or entry_size != _CODE_SECTION.size or names >= count:
            return ""
        if place + entry_size > code.end:
            return ""
        offset, size = _CODE_SECTION.unpack(self._read(place, entry_size))
        if code.start + offset + size > code.end:
            return ""
        for name in self._read(code.start + offset, min(size, _NAMES)).split(b"\0")[:-1]:
            if name.startswith(_KERNEL):
                kernel = name.removeprefix(_KERNEL).decode("utf-8", "backslashreplace")
                return kernel if len(kernel) <= _NAME else f"{kernel[:_NAME]}..."
        return ""

    def _after_padding(self, position: int) -> int:
        """Where the next fat binary starts, if there is one: the first byte that is not zero."""
        position += -(position - self.start) % _ALIGNMENT
        length = _SHORT
        while position < self.end:
            self.stream.seek(position)
            chunk = self.stream.read(min(length, self.end - position))
            length = _LONG
            if not chunk:
                raise _FormatError("it ends early")
            zeros = len(chunk) - len(chunk.lstrip(b"\0"))
            if zeros < len(chunk):
                return position + zeros - zeros % _ALIGNMENT
            position += len(chunk)
        return self.end

    def _read(self, position: int, size: int) -> bytes:
        self.stream.seek(position)
        data = self.stream.read(size) if position + size <= self.end else b""
        if len(data) < size:
            raise _FormatError("it ends early")
        return data


def _feature_set(flags: int) -> str:
    if flags & _FAMILY_SPECIFIC:
        return "f"
    return "a" if flags & _ARCH_SPECIFIC else ""


def _compression(flags: int) -> str:
    if not flags & _COMPRESSED:
        return "none"
    return {_LZ4: "lz4", _ZSTD: "zstd"}.get(flags & _COMPRESSED, "unknown")
