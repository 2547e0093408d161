# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What an edit makes of files, and what may come of it."""

import ctypes
import os
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

from tests.support.tiny_elf import TinyElf
from tests.support.tiny_wheel import read_members, write_tiny_wheel
from tools.wheel.elf.edit import ElfEdit, edit_elf
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


def _repair(folder: Path) -> int:
    (folder / "libfoo.so.3").write_bytes(LIBRARY.build())
    wheel = write_tiny_wheel(folder, NAME, {EXTENSION: USER.build()})
    arguments = [str(wheel), "--plat", "manylinux_2_27_x86_64", "-w", str(folder / "out")]
    arguments += ["--library-folder", str(folder), "--allow-grafted", "libfoo.so.*"]
    return main(arguments)


def test_apply_repair_symbol_with_a_version_is_found_in_the_copy(tmp_path: Path) -> None:
    assert _repair(tmp_path) == 0
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
def test_apply_repair_damage_done_by_an_edit_is_seen(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    old: bytes,
    new: bytes,
    message: str,
) -> None:
    def damage(stream: IO[bytes], path: str, edit: ElfEdit) -> None:
        edit_elf(stream, path, edit)
        if path == EXTENSION:
            stream.seek(0)
            content = stream.read().replace(old, new)
            stream.seek(0)
            stream.write(content)

    monkeypatch.setattr("tools.wheel.repair.apply.edit_elf", damage)
    assert _repair(tmp_path) != 0
    assert message in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"rpath": False},
            f"`{EXTENSION}` has DT_RPATH [] and DT_RUNPATH ['$ORIGIN/../pkg.libs'] after the "
            "repair, planned was DT_RPATH ['$ORIGIN/../pkg.libs']",
        ),
        ({"soname": "libother.so"}, "has soname `libother.so`, planned was `libfoo-"),
        ({"replaced": {}}, f"`{EXTENSION}` needs `libfoo.so.3`, which is not in the wheel"),
    ],
)
def test_apply_repair_other_edit_than_planned_is_seen(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, object],
    message: str,
) -> None:
    def other(stream: IO[bytes], path: str, edit: ElfEdit) -> None:
        if path == EXTENSION or "soname" in changes:
            edit = replace(edit, **changes)  # type: ignore[arg-type]
        edit_elf(stream, path, edit)

    monkeypatch.setattr("tools.wheel.repair.apply.edit_elf", other)
    assert _repair(tmp_path) != 0
    assert message in capsys.readouterr().err


def test_apply_repair_version_of_a_library_without_its_new_name_is_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """NEEDED and the version needs disagree: the loader stops with an assertion."""
    monkeypatch.setattr("tools.wheel.elf.edit.read_version_libraries", lambda *arguments: ())
    assert _repair(tmp_path) == 41
    assert f"`{EXTENSION}` still needs `libfoo.so.3`, now `libfoo-" in capsys.readouterr().err
