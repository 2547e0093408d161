# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The reader against pyelftools, on the shared objects that the interpreter has loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection
from elftools.elf.sections import SymbolTableSection

from tools.wheel.elf.reader import read_elf


def _loaded() -> list[Path]:
    maps = Path("/proc/self/maps")
    words = [line.split() for line in maps.read_text().splitlines()] if maps.exists() else []
    paths = {Path(fields[5]) for fields in words if len(fields) == 6 and fields[5][0] == "/"}
    return sorted(path for path in paths if path.is_file() and ".so" in path.name)


@pytest.mark.parametrize("path", _loaded(), ids=lambda path: path.name)
def test_read_elf_agrees_with_pyelftools(path: Path) -> None:
    with path.open("rb") as stream:
        found = read_elf(stream, path.name)
        elf = ELFFile(stream)
        assert found is not None
        dynamic = elf.get_section_by_name(".dynamic")
        symbols = elf.get_section_by_name(".dynsym")
        versions = elf.get_section_by_name(".gnu.version_r")
        assert isinstance(dynamic, DynamicSection) and isinstance(symbols, SymbolTableSection)
        tags = [tag for tag in dynamic.iter_tags() if tag.entry.d_tag == "DT_NEEDED"]
        asked = set()
        if isinstance(versions, GNUVerNeedSection):
            asked = {
                (str(library.name), str(auxiliary.name))
                for library, auxiliaries in versions.iter_versions()
                for auxiliary in auxiliaries
            }
        assert list(found.needed) == [getattr(tag, "needed", "") for tag in tags]
        assert [(symbol.name, symbol.defined) for symbol in found.symbols] == [
            (symbol.name, symbol["st_shndx"] != "SHN_UNDEF") for symbol in symbols.iter_symbols()
        ][1:]
        assert {
            (library, name)
            for library, names in (*found.versions, *found.weak_versions)
            for name in names
        } == asked
        assert [section.name for section in found.sections] == [
            section.name for section in elf.iter_sections()
        ]
