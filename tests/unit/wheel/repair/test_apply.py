# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What patchelf makes of files, and what may come of it."""

import ctypes
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import read_members, write_tiny_wheel
from tools.wheel.repair.cli import main

NAME = "pkg-1.0-cp312-cp312-linux_x86_64.whl"
REPAIRED = "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"
EXTENSION = "pkg/_C.cpython-312-x86_64-linux-gnu.so"
LIBRARY = TinyElf(soname="libfoo.so.3", defines=("foo@FOO_1",))
USER = TinyElf(
    needed=("libfoo.so.3",),
    versions={"libfoo.so.3": ("FOO_1",)},
    imports=("foo@FOO_1",),
    defines=("PyInit__C",),
    sections={".nv_fatbin": b"\x50\xed\x55\xba" + bytes(60)},
)


def _repair(folder: Path, patchelf: str) -> int:
    (folder / "libfoo.so.3").write_bytes(LIBRARY.build())
    wheel = write_tiny_wheel(folder, NAME, {EXTENSION: USER.build()})
    arguments = [str(wheel), "--plat", "manylinux_2_27_x86_64", "-w", str(folder / "out")]
    arguments += ["--library-folder", str(folder), "--allow-grafted", "libfoo.so.*"]
    return main([*arguments, "--patchelf", patchelf])


@pytest.fixture
def patchelf() -> str:
    found = os.environ.get("PATCHELF") or shutil.which("patchelf")
    assert found, "set PATCHELF, or put `patchelf` on PATH"
    return str(Path(found).absolute())


def test_apply_repair_symbol_with_a_version_is_found_in_the_copy(
    tmp_path: Path, patchelf: str
) -> None:
    assert _repair(tmp_path, patchelf) == 0
    for path, content in read_members(tmp_path / "out" / REPAIRED).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "libfoo.so.3").unlink()
    assert ctypes.CDLL(str(tmp_path / EXTENSION), os.RTLD_NOW).foo


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"\x50\xed\x55\xba", b"\x50\xed\x55\xbb", "section `.nv_fatbin` of `pkg/_C."),
        (b"PyInit__C\0", b"PyInit__D\0", "the symbols of `pkg/_C."),
        (b"\x7fELF", b"\x7fELG", "is no ELF file any more"),
    ],
)
def test_apply_repair_damage_done_by_patchelf_is_seen(
    tmp_path: Path,
    patchelf: str,
    capsys: pytest.CaptureFixture[str],
    old: bytes,
    new: bytes,
    message: str,
) -> None:
    """Behind a patchelf that damages the extension and says nothing."""
    program = tmp_path / "patchelf"
    program.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, subprocess, sys\n"
        f"subprocess.run([{patchelf!r}, *sys.argv[1:]], check=True)\n"
        "path = pathlib.Path(sys.argv[-1])\n"
        "if path.name.startswith('_C.'):\n"
        f"    path.write_bytes(path.read_bytes().replace({old!r}, {new!r}))\n"
    )
    program.chmod(0o755)
    assert _repair(tmp_path, str(program)) != 0
    assert message in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []
