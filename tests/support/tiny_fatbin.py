# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Fat binaries of a few hundred bytes, made from a description: nvcc's headers, code of zeros."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

_MAGIC = 0xBA55ED50
_KINDS = {"ptx": 1, "elf": 2, "nvvm": 8, "relocatable ptx": 64, "tile ir": 128}
_COMPRESSION = {"none": 0, "lz4": 1 << 13, "zstd": 1 << 15}
_FEATURE_SETS = {"": 0, "a": 1 << 20, "f": 1 << 21}
_LINUX, _64_BIT = 0x10, 0x1


@dataclass(frozen=True)
class TinyImage:
    """Description of an entry."""

    #: A kind by cuobjdump's name, or its number.
    kind: str | int = "elf"
    #: 90, and the feature set: "", "a" or "f".
    arch: int = 80
    feature_set: str = ""
    #: Major and minor, as cuobjdump prints them. Default: those of CUDA 12.4.
    version: tuple[int, int] | None = None
    compression: str = "none"
    identifier: str = ""
    size: int = 64
    #: The code. Default: `size` zeros.
    code: bytes = b""

    def build(self) -> bytes:
        """Header and code."""
        kind = _KINDS[self.kind] if isinstance(self.kind, str) else self.kind
        major, minor = self.version or ((8, 4) if kind == 1 else (1, 7))
        name = self.identifier.encode()
        code = self.code or bytes(self.size)
        header = 64 + -(-len(name) // 8) * 8
        compressed = self.compression != "none"
        flags = _LINUX | _64_BIT | _COMPRESSION[self.compression] | _FEATURE_SETS[self.feature_set]
        fields = (kind, 0x101, header, len(code), len(code) if compressed else 0, 0, minor, major)
        place = (self.arch, 64 if name else 0, len(name))
        last = (flags, 0, 3 * len(code) if compressed else 0)
        packed = struct.pack("<HHIQIIHHIIIQQQ", *fields, *place, *last)
        return (packed + name).ljust(header, b"\0") + code


def build_fatbin(images: Sequence[TinyImage]) -> bytes:
    """One fat binary."""
    entries = b"".join(image.build() for image in images)
    return struct.pack("<IHHQ", _MAGIC, 1, 16, len(entries)) + entries


def build_section(fatbins: Sequence[Sequence[TinyImage]], padding: int = 0) -> bytes:
    """The content of `.nv_fatbin`: fat binaries, each followed by padding."""
    return b"".join(build_fatbin(images) + bytes(padding) for images in fatbins)
