# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Archives and ELF files that nobody would think of: refused in words, or read as installers do."""

import io
import os
import tempfile
import zipfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import write_tiny_wheel
from tests.support.tiny_zip import TinyEntry, build_zip
from tools.wheel.archive.errors import ToolError
from tools.wheel.archive.reader import open_wheel
from tools.wheel.inspection.reading import read_wheel
from tools.wheel.repair.plan import Options, plan_repair
from tools.wheel.unpack.cli import unpack_wheel

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
LIBRARY = TinyElf(
    soname="libpkg.so",
    needed=("libc.so.6", "libm.so.6"),
    runpath="$ORIGIN/lib",
    versions={"libc.so.6": ("GLIBC_2.17",), "libm.so.6": ("GLIBC_2.27",)},
    defines=("one", "two"),
).build()

EXAMPLES = int(os.environ.get("TILEWRIGHT_FUZZ_EXAMPLES", "200"))
bounded = settings(
    max_examples=EXAMPLES,
    derandomize="TILEWRIGHT_FUZZ_EXAMPLES" not in os.environ,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def _sound_wheel() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        files = {"pkg/a.py": b"A = 1\n" * 50, "pkg/lib.so": LIBRARY}
        return write_tiny_wheel(Path(folder), NAME, files).read_bytes()


SOUND = _sound_wheel()


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with a few bytes changed, cut out, put in or doubled."""
    data = bytearray(content)
    for _ in range(draw(st.integers(1, 4))):
        # Near the end stands the directory of an archive, at the start the header of an ELF file.
        place = draw(st.integers(0, max(0, len(data) - 1)))
        kind = draw(st.sampled_from(["bits", "word", "cut", "insert", "double", "truncate"]))
        if kind == "bits":
            data[place : place + 1] = (
                bytes([data[place] ^ draw(st.integers(1, 255))]) if data else b""
            )
        elif kind == "word":
            word = draw(
                st.sampled_from([b"\0" * 4, b"\xff" * 4, b"\xff" * 8, b"\1\0\0\0", b"PK\5\6"])
            )
            data[place : place + len(word)] = word
        elif kind == "cut":
            del data[place : place + draw(st.integers(1, 64))]
        elif kind == "insert":
            data[place:place] = draw(st.binary(min_size=1, max_size=64))
        elif kind == "double":
            data[place:place] = data[place : place + draw(st.integers(1, 200))]
        else:
            del data[place:]
    return bytes(data)


names = st.one_of(
    st.sampled_from(
        [
            b"pkg/a.py",
            b"pkg/b.py",
            b"pkg",
            b"pkg/",
            b"../a",
            b"/a",
            b"pkg/../a",
            b"a\\b",
            b"",
            b"\xff",
        ]
    ),
    st.binary(max_size=12),
)
numbers = st.one_of(st.none(), st.sampled_from([0, 1, 2, 100, 0xFFFFFFFE, 0xFFFFFFFF]))
entries = st.builds(
    TinyEntry,
    name=names,
    content=st.binary(max_size=200),
    method=st.sampled_from([0, 8, 8, 8, 12]),
    flags=st.sampled_from([0, 0, 0, 1, 8, 0x800]),
    mode=st.sampled_from([0o100644, 0o100755, 0o120777, 0o040755, 0]),
    comment=st.sampled_from([b"", b"", b"PK\5\6"]),
    extra=st.one_of(st.just(b""), st.binary(max_size=30), st.just(b"\1\0\x08\0" + b"\xff" * 8)),
    local_extra=st.one_of(st.just(b""), st.binary(max_size=30)),
    local_name=st.one_of(st.none(), st.none(), names),
    local_size=st.one_of(st.none(), numbers),
    size=st.one_of(st.none(), st.none(), numbers),
    gap=st.sampled_from([b"", b"", b"gap"]),
    offset=st.one_of(st.none(), st.none(), st.integers(0, 300)),
)


def _check(archive: bytes) -> None:
    """No exception but ours, nothing outside the folder, nothing that installers read otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(folder) / NAME
        wheel.write_bytes(archive)
        target = Path(folder) / "deep" / "site-packages"
        try:
            unpack_wheel(wheel, target)
        except ToolError as error:
            assert error.what
            assert error.hint
            assert not target.exists()
        else:
            _check_against_zipfile(wheel)
        assert {path.name for path in Path(folder).iterdir()} <= {NAME, "deep"}
        try:
            facts = read_wheel(wheel, jobs=1)
            plan_repair(facts, Options("manylinux_2_27_x86_64"))
        except ToolError as error:
            assert error.hint


def _check_against_zipfile(wheel: Path) -> None:
    with open_wheel(wheel) as reader, zipfile.ZipFile(wheel) as archive:
        assert list(reader.paths) == [i.filename for i in archive.infolist() if not i.is_dir()]
        if not reader.problems:
            for path in reader.paths:
                assert b"".join(reader.chunks(path)) == archive.read(path)


@bounded
@given(damaged(SOUND))
def test_damaged_wheel_is_refused_or_read_as_installers_do(archive: bytes) -> None:
    _check(archive)


@bounded
@given(st.lists(entries, max_size=4), st.sampled_from([b"", b"x"]), st.sampled_from([b"", b"x"]))
def test_lying_archive_is_refused_or_read_as_installers_do(
    files: list[TinyEntry], prefix: bytes, suffix: bytes
) -> None:
    _check(build_zip(files, prefix=prefix, suffix=suffix))


@bounded
@given(st.one_of(damaged(LIBRARY), damaged(LIBRARY[:0x200])))
def test_damaged_elf_file_in_a_sound_wheel_is_refused_or_read(library: bytes) -> None:
    stream = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        wheel = write_tiny_wheel(Path(folder), NAME, {"pkg/lib.so": library})
        stream.write(wheel.read_bytes())
    _check(stream.getvalue())
