# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Memory that writing and reading a wheel takes, each in a process of its own."""

import os
import random
import subprocess
import sys
from pathlib import Path

NAME = "pkg-1.0-py3-none-any.whl"
MIB = 1 << 20

WRITE = """
import sys
from pathlib import Path
from tools.wheel.archive.members import Member
from tools.wheel.archive.writer import write_wheel
members = [Member("pkg/big", Path(sys.argv[1]))]
write_wheel(Path(sys.argv[2]), members, "pkg-1.0.dist-info", jobs=2)
"""
COPY = """
import sys
from pathlib import Path
from tools.wheel.archive.members import Member
from tools.wheel.archive.reader import open_wheel
from tools.wheel.archive.writer import write_wheel
with open_wheel(Path(sys.argv[1])) as wheel:
    for _ in wheel.chunks("pkg/big"):
        pass
    members = [Member("pkg/big", wheel.archived("pkg/big", "sha256=x"))]
    write_wheel(Path(sys.argv[2]), members, "pkg-1.0.dist-info", jobs=2)
"""
#: By the process's own memory; getrusage counts that of the process that started it, too.
PEAK = """
(peak,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM:")]
print(peak.split()[1])
"""


def _peak(program: str, *arguments: Path) -> int:
    """Most memory that a program has had, in bytes."""
    done = subprocess.run(
        [sys.executable, "-c", program + PEAK, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return int(done.stdout) * 1024


def _big(path: Path, size: int) -> Path:
    """A file that deflates to a tenth."""
    source = random.Random(0)
    with path.open("wb") as stream:
        for _ in range(size >> 16):
            stream.write(source.randbytes(6000).ljust(1 << 16, b"\0"))
    return path


def test_memory_does_not_grow_with_the_biggest_file(tmp_path: Path) -> None:
    peaks = {}
    for size in (16 * MIB, 160 * MIB):
        source, wheel = _big(tmp_path / "big", size), tmp_path / str(size) / NAME
        copy = wheel.with_name("copy-1.0-py3-none-any.whl")
        wheel.parent.mkdir()
        peaks[size] = (_peak(WRITE, source, wheel), _peak(COPY, wheel, copy))
    small, large = peaks.values()
    assert max(large) < 100 * MIB, peaks
    assert large[0] - small[0] < 8 * MIB, peaks
    assert large[1] - small[1] < 8 * MIB, peaks
