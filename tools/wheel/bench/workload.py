# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The wheel that is repaired: big ELF files, of which some need a library to be copied in."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from tests.support.tiny_elf import TinyElf
from tools.wheel.archive.deflate import DEFAULT_LEVEL
from tools.wheel.archive.members import Member
from tools.wheel.archive.writer import write_wheel

PLATFORM = "manylinux_2_27_x86_64"
NAME = "bench-1.0-py3-none-linux_x86_64.whl"
LIBRARY = "libbench.so.1"

#: Bytes that are made and then repeated; deflate looks back 32 KiB and sees no repetition.
_PIECE = 4 << 20
_SEED = 20
_VERSIONS = {"libc.so.6": ("GLIBC_2.17",)}


def make_workload(folder: Path, *, size: int, files: int, edited: int) -> None:
    """Write the wheel `NAME`, and beside it the folder `libraries` with what it needs.

    Half of the files look random, as compressed device code does; half look like machine code.

    Args:
        folder: where to write; made if absent.
        size: bytes of all ELF files together.
        files: how many there are.
        edited: how many of them need the library, and so have to be edited.
    """
    libraries = folder / "libraries"
    libraries.mkdir(parents=True)
    (libraries / LIBRARY).write_bytes(TinyElf(soname=LIBRARY, versions=_VERSIONS).build())
    source = random.Random(_SEED)
    pieces = (source.randbytes(_PIECE), _machine_code(source))
    members = []
    for number in range(files):
        needed = (LIBRARY, "libc.so.6") if number < edited else ("libc.so.6",)
        payload = _cut(pieces[number % 2], number << 12, size // files)
        elf = TinyElf(f"lib{number:02}.so", needed, versions=_VERSIONS, payload=payload)
        path = folder / elf.soname
        path.write_bytes(elf.build())
        members.append(Member(f"bench/{elf.soname}", path))
    texts = {
        "METADATA": "Metadata-Version: 2.1\nName: bench\nVersion: 1.0\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n",
    }
    dist_info = "bench-1.0.dist-info"
    members += [Member(f"{dist_info}/{name}", text.encode()) for name, text in texts.items()]
    write_wheel(folder / NAME, members, dist_info, level=DEFAULT_LEVEL)
    for path in folder.glob("lib*.so"):
        path.unlink()


def _cut(piece: bytes, start: int, count: int) -> bytes:
    repeated = piece * ((start + count) // len(piece) + 1)
    return repeated[start : start + count]


def _machine_code(source: random.Random) -> bytes:
    """Few instructions that are frequent and many that are rare, in phrases, as compilers write.

    zlib's level 6 makes a third of it, somewhat faster than it does with real shared objects.
    """
    instructions = [source.randbytes(source.randint(2, 8)) for _ in range(4000)]
    weights = [1 / (rank + 1) for rank in range(len(instructions))]
    phrases = [
        b"".join(source.choices(instructions, weights, k=source.randint(2, 12)))
        for _ in range(20_000)
    ]
    spread = [1 / (rank + 10) for rank in range(len(phrases))]
    code = b"".join(source.choices(phrases, spread, k=_PIECE // 16))
    return (code * 2)[:_PIECE]


def main() -> int:
    """Write a workload: a process of its own, so that its memory is not that of who measures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--files", type=int, required=True)
    parser.add_argument("--edited", type=int, required=True)
    options = parser.parse_args()
    make_workload(options.folder, size=options.size, files=options.files, edited=options.edited)
    return 0


if __name__ == "__main__":
    sys.exit(main())
