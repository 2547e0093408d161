# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Edits of files that linkers made: the interpreter, and the shared objects that it has loaded."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from tools.wheel.elf.edit import ElfEdit, edit_elf
from tools.wheel.elf.reader import read_elf

FIRST = ("$ORIGIN", "$ORIGIN/../one/folder/and/another")
SECOND = ("$ORIGIN/../a/second/time", *FIRST)
IMPORT = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location(sys.argv[1], sys.argv[2])
importlib.util.module_from_spec(spec)
"""


def _loaded() -> list[Path]:
    maps = Path("/proc/self/maps")
    words = [line.split() for line in maps.read_text().splitlines()] if maps.exists() else []
    paths = {Path(fields[5]) for fields in words if len(fields) == 6 and fields[5][0] == "/"}
    return sorted(path for path in paths if path.is_file() and ".so" in path.name)


def _modules() -> list[Path]:
    """Extension modules of the interpreter alone: those of packages have libraries beside them."""
    return [path for path in _loaded() if "lib-dynload" in path.parts]


def _edit(path: Path, *edits: ElfEdit) -> None:
    with path.open("r+b") as stream:
        for edit in edits:
            edit_elf(stream, path.name, edit)


@pytest.mark.parametrize("path", _loaded(), ids=lambda path: path.name)
def test_edit_elf_result_is_what_pyelftools_reads(path: Path, tmp_path: Path) -> None:
    copy = shutil.copyfile(path, tmp_path / "lib.so")
    with path.open("rb") as stream:
        before = read_elf(stream, "lib.so")
    assert before is not None
    renamed = {library: f"renamed-{library}" for library in before.needed[:1]}
    edits = [ElfEdit("libnew.so", renamed, FIRST), ElfEdit("libnewer.so", {}, SECOND, rpath=False)]
    _edit(copy, *edits)
    needed = [renamed.get(library, library) for library in before.needed]
    with copy.open("rb") as stream:
        after = read_elf(stream, "lib.so")
        elf = ELFFile(stream)
        dynamic = elf.get_section_by_name(".dynamic")
        versions = elf.get_section_by_name(".gnu.version_r")
        assert isinstance(dynamic, DynamicSection)
        tags = {
            name: [getattr(tag, name) for tag in dynamic.iter_tags(f"DT_{name.upper()}")]
            for name in ("needed", "soname", "rpath", "runpath")
        }
        asked = set()
        if isinstance(versions, GNUVerNeedSection):
            asked = {str(library.name) for library, _ in versions.iter_versions()}
        loads = [segment.header for segment in elf.iter_segments("PT_LOAD")]
    assert tags == {
        "needed": needed,
        "soname": ["libnewer.so"],
        "rpath": [],
        "runpath": [":".join(SECOND)],
    }
    assert asked == {
        renamed.get(library, library) for library, _ in (*before.versions, *before.weak_versions)
    }
    assert after is not None
    assert [str(symbol) for symbol in after.symbols] == [str(symbol) for symbol in before.symbols]
    assert (after.build_id, after.isa) == (before.build_id, before.isa)
    assert all(one.p_vaddr + one.p_memsz <= two.p_vaddr for one, two in pairwise(loads))
    assert all((load.p_vaddr - load.p_offset) % load.p_align == 0 for load in loads)


@pytest.mark.parametrize("path", _modules(), ids=lambda path: path.name)
def test_edit_elf_extension_module_is_imported(path: Path, tmp_path: Path) -> None:
    copy = shutil.copyfile(path, tmp_path / path.name)
    _edit(copy, ElfEdit(search_path=FIRST))
    name = path.name.partition(".")[0]
    subprocess.run([sys.executable, "-c", IMPORT, name, copy], check=True)


def test_edit_elf_program_runs(tmp_path: Path) -> None:
    program = Path(sys.executable).resolve()
    copy = Path(shutil.copy(program, tmp_path / "program"))
    with program.open("rb") as stream:
        before = read_elf(stream, "program")
    if before is None or not before.needed:
        pytest.skip("the interpreter is no dynamic program")
    # Where it finds its own libraries.
    where = tuple(
        entry.replace("$ORIGIN", str(program.parent)).replace("${ORIGIN}", str(program.parent))
        for entry in before.search_path
    )
    for edit in (ElfEdit(search_path=(*where, "$ORIGIN/x")), ElfEdit(search_path=where)):
        _edit(copy, edit)
        done = subprocess.run([copy, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("Python 3.")
