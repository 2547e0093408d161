# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Wheels that want to hurt: each tool refuses them with a code and a hint, and leaves nothing."""

import os
import resource
import stat
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_zip import STORED, UTF8_NAME, TinyEntry, build_zip
from tools.wheel.audit.cli import main as audit
from tools.wheel.repair.cli import main as repair
from tools.wheel.unpack.cli import main as unpack

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
DIST_INFO = b"pkg-1.0.dist-info/"
GIB = 1 << 30

METADATA = TinyEntry(DIST_INFO + b"METADATA", b"Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n")
WHEEL = TinyEntry(DIST_INFO + b"WHEEL", b"Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n")
RECORD = TinyEntry(DIST_INFO + b"RECORD", b"")
LIBRARY = TinyEntry(b"pkg/lib.so", TinyElf().build())
MANY_TAGS = b"-".join([b".".join(b"t%d" % number for number in range(200))] * 3)
SOUND = [LIBRARY, METADATA, WHEEL, RECORD]


def _zeros(count: int) -> bytes:
    """A deflate stream of so many zero bytes: one piece again and again, then the end."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = compressor.compress(bytes(1 << 24)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return piece * (count >> 24) + b"\x03\x00"


def _with(*entries: TinyEntry) -> bytes:
    return build_zip([*entries, *SOUND])


def _elf_header(**fields: int) -> bytes:
    """A library whose ELF header is absurd; offsets of fields after the ELF specification."""
    data = bytearray(TinyElf(versions={"libc.so.6": ("GLIBC_2.17",)}).build())
    layout = {"phoff": (32, "<Q"), "shoff": (40, "<Q"), "phnum": (56, "<H"), "shnum": (60, "<H")}
    for name, value in fields.items():
        offset, code = layout[name]
        struct.pack_into(code, data, offset, value)
    return bytes(data)


HOSTILE = {
    "empty": (b"", 11, "no end record"),
    "truncated": (_with()[:-40], 11, "no end record"),
    "headless": (_with()[20:], 11, "bytes are missing"),
    "parent folder": (_with(TinyEntry(b"../../evil")), 12, "unsafe path in archive: '../../evil'"),
    "absolute": (_with(TinyEntry(b"/tmp/evil")), 12, "unsafe path in archive: '/tmp/evil'"),
    "deep": (_with(TinyEntry(b"a/" * 1000 + b"a")), 12, "path too long in archive: `a/a/"),
    "long": (_with(TinyEntry((b"a" * 200 + b"/") * 30 + b"a")), 12, "has 6031 bytes in 31 parts"),
    "long name": (_with(TinyEntry("ä".encode() * 128, flags=UTF8_NAME)), 12, "256 bytes in 1 part"),
    "backslash": (_with(TinyEntry(b"..\\evil")), 12, "unsafe path in archive"),
    "link": (
        _with(TinyEntry(b"pkg/link", b"/etc/passwd", mode=stat.S_IFLNK | 0o777)),
        11,
        "`pkg/link` in",
    ),
    "device": (_with(TinyEntry(b"pkg/dev", mode=stat.S_IFCHR | 0o666)), 11, "not a regular file"),
    "twice": (_with(TinyEntry(b"pkg/lib.so")), 12, "`pkg/lib.so` occurs twice"),
    "file and folder": (_with(TinyEntry(b"pkg")), 12, "`pkg` in"),
    "name not UTF-8": (
        _with(TinyEntry(b"pkg/\xff.py", flags=UTF8_NAME)),
        11,
        "b'pkg/\\xff.py' is neither ASCII nor declared and valid UTF-8",
    ),
    "other local name": (
        _with(TinyEntry(b"pkg/a.py", local_name=b"pkg/b.py")),
        11,
        "`pkg/a.py` is called b'pkg/b.py'",
    ),
    "encrypted": (_with(TinyEntry(b"pkg/a.py", flags=1)), 11, "is encrypted"),
    "bzip2": (_with(TinyEntry(b"pkg/a.py", method=12)), 11, "compressed by method 12"),
    "claim of 3 GiB": (_with(TinyEntry(b"pkg/a", b"x", size=3 * GIB)), 11, "claims 3221225472"),
    "claim of 10 GiB": (
        _with(
            TinyEntry(
                b"pkg/a",
                size=0xFFFFFFFF,
                extra=struct.pack("<2HQ", 1, 8, 10 * GIB),
                local_extra=struct.pack("<2H2Q", 1, 16, 10 * GIB, 2),
            )
        ),
        11,
        "claims 10737418240 bytes, which its 2 in the archive cannot hold",
    ),
    "stored claim": (_with(TinyEntry(b"pkg/a", b"x", STORED, size=2)), 11, "claims 2 bytes"),
    "bomb": (
        _with(TinyEntry(b"pkg/a", data=_zeros(GIB), size=GIB)),
        11,
        "more than 50 times as much",
    ),
    "more than claimed": (
        build_zip([TinyEntry(METADATA.name, bytes(1 << 20), size=1000), LIBRARY, WHEEL, RECORD]),
        11,
        "goes on after its 1000 bytes",
    ),
}

#: Those that unpacking has no reason to look into.
HOSTILE_CONTENT = {
    "no RECORD": (build_zip([LIBRARY, METADATA, WHEEL]), 11, "has no `pkg-1.0.dist-info/RECORD`"),
    "RECORD no table": (
        build_zip([LIBRARY, METADATA, WHEEL, TinyEntry(RECORD.name, b'"' + b"a" * 200_000)]),
        13,
        "RECORD` cannot be read",
    ),
    "RECORD of 17 MiB": (
        build_zip([LIBRARY, METADATA, WHEEL, TinyEntry(RECORD.name, b"a" * (17 << 20))]),
        11,
        "has 17825792 bytes, the limit is 16777216",
    ),
    "RECORD of 400001 rows": (
        build_zip(
            [
                LIBRARY,
                METADATA,
                WHEEL,
                TinyEntry(RECORD.name, b"".join(b"%d,,\n" % number for number in range(400_001))),
            ]
        ),
        13,
        "RECORD` has more than 400000 rows",
    ),
    "METADATA of 3 MiB": (
        build_zip(
            [LIBRARY, TinyEntry(METADATA.name, b"Requires-Dist: x\n" * 190_000), WHEEL, RECORD]
        ),
        11,
        "has 3230000 bytes, the limit is 2097152",
    ),
    "RECORD not UTF-8": (
        build_zip([LIBRARY, METADATA, WHEEL, TinyEntry(RECORD.name, b"\xff,,\n")]),
        11,
        "is not UTF-8",
    ),
    "8 million tags": (
        build_zip([LIBRARY, METADATA, TinyEntry(WHEEL.name, b"Tag: " + MANY_TAGS), RECORD]),
        11,
        "more than 1000 tags",
    ),
    "two dist-info": (_with(TinyEntry(b"a-1.dist-info/RECORD")), 11, "has several: a-1.dist-info"),
    "no ELF": (_with(TinyEntry(b"pkg/b.so", b"\x7fELF")), 33, "`pkg/b.so`"),
    "program headers at the end of the world": (
        _with(TinyEntry(b"pkg/b.so", _elf_header(phoff=2**63))),
        33,
        "`pkg/b.so`",
    ),
    "65535 program headers": (
        _with(TinyEntry(b"pkg/b.so", _elf_header(phnum=0xFFFF))),
        33,
        "`pkg/b.so`",
    ),
}


@pytest.mark.parametrize("kind", sorted({**HOSTILE, **HOSTILE_CONTENT}))
@pytest.mark.parametrize("tool", ["audit", "repair", "unpack"])
def test_hostile_wheel_is_refused_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, tool: str
) -> None:
    if tool == "unpack" and kind in HOSTILE_CONTENT:
        pytest.skip("unpacking looks at no content")
    archive, code, message = {**HOSTILE, **HOSTILE_CONTENT}[kind]
    wheel = tmp_path / "in" / NAME
    wheel.parent.mkdir()
    wheel.write_bytes(archive)
    out = tmp_path / "out"
    out.mkdir()
    before = _everything(tmp_path)
    found = {
        "audit": lambda: audit([str(wheel)]),
        "repair": lambda: repair([str(wheel), "--plat", "manylinux_2_27_x86_64", "-w", str(out)]),
        "unpack": lambda: unpack([str(wheel), str(out / "site-packages")]),
    }[tool]()
    error = capsys.readouterr().err
    assert (found, message in error) == (code, True), error
    assert "\nhint: " in error
    assert _everything(tmp_path) == before


def test_hostile_bomb_of_10_gib_needs_neither_memory_nor_time(tmp_path: Path) -> None:
    """With 10 MiB that truly inflate to 10 GiB, in a process that may have 1 GiB."""
    wheel = tmp_path / NAME
    entry = TinyEntry(
        b"pkg/a",
        data=_zeros(10 * GIB),
        size=0xFFFFFFFF,
        extra=struct.pack("<2HQ", 1, 8, 10 * GIB),
        local_extra=struct.pack("<2H2Q", 1, 16, 10 * GIB, 0),
    )
    wheel.write_bytes(_with(entry))
    program = "import sys; from tools.wheel.unpack.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, str(wheel), str(tmp_path / "out")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (GIB, GIB)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 11, done.stderr
    assert "inflates to 107374" in done.stderr
    assert not (tmp_path / "out").exists()


def _everything(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))
