# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Repair's memory does not grow with the files that it edits."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tools.wheel.archive.members import Member
from tools.wheel.archive.writer import write_wheel

NAME = "pkg-1.0-py3-none-linux_x86_64.whl"
MIB = 1 << 20
#: Of each MiB of the library; an archive of zeros is refused as a bomb.
NOISE = 40 << 10
#: Of a process that may not have more: the interpreter, the libraries and a few blocks a thread.
LIMIT = 128 * MIB

REPAIR = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, ({LIMIT}, {LIMIT}))
from tools.wheel.repair.cli import main
code = main()
print(*(line for line in open("/proc/self/status") if line.startswith("VmHWM")))
sys.exit(code)
"""


def _repair(folder: Path, size: int) -> int:
    """Repair a wheel with one library of a size, edited for a copy; the most memory it took."""
    folder.mkdir()
    (folder / "libfoo.so.3").write_bytes(TinyElf(soname="libfoo.so.3").build())
    library = folder / "libpkg.so"
    library.write_bytes(TinyElf(needed=("libfoo.so.3", "libc.so.6")).build())
    noise = random.Random(0).randbytes(NOISE)
    with library.open("r+b") as stream:
        for place in range(MIB, size, MIB):
            stream.seek(place)
            stream.write(noise)
    texts = {
        "METADATA": "Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n",
    }
    members = [Member(f"pkg-1.0.dist-info/{name}", text.encode()) for name, text in texts.items()]
    members.append(Member("pkg/libpkg.so", library))
    write_wheel(folder / NAME, members, "pkg-1.0.dist-info", level=1)
    arguments = ["--plat", "manylinux_2_27_x86_64", "--level", "1", "--jobs", "2"]
    arguments += ["--library-folder", str(folder), "--allow-grafted", "*", "-w", str(folder)]
    done = subprocess.run(
        [sys.executable, "-c", REPAIR, str(folder / NAME), *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = re.search(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert found, done.stdout
    return int(found[1]) << 10


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the kernel tells no memory")
def test_main_library_larger_than_memory_is_repaired(tmp_path: Path) -> None:
    small = _repair(tmp_path / "small", 4 * MIB)
    large = _repair(tmp_path / "large", 2 * LIMIT)
    assert large - small < 32 * MIB, (small, large)
