# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The built wheel, read with the standard library and pyelftools: not with what made it."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from functools import cached_property
from pathlib import Path

from elftools.elf.dynamic import DynamicSection, DynamicTag
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection
from elftools.elf.sections import SymbolTableSection


@dataclass(frozen=True)
class SharedObject:
    """What the loader reads of one shared object."""

    path: str
    soname: str | None
    needed: tuple[str, ...]
    #: DT_RPATH and DT_RUNPATH, as written.
    run_paths: tuple[str, ...]
    #: Symbol versions asked of each library.
    versions: dict[str, frozenset[str]]
    exports: frozenset[str]
    executable_stack: bool


class BuiltWheel:
    """A wheel's name, members and metadata."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.archive = zipfile.ZipFile(path)
        parts = path.name.removesuffix(".whl").split("-")
        self.distribution, self.version, self.python, self.abi, self.platform = parts

    @property
    def dist_info(self) -> str:
        """Name of the `.dist-info` folder."""
        return f"{self.distribution}-{self.version}.dist-info"

    @cached_property
    def members(self) -> dict[str, bytes]:
        """The content of every file by path."""
        return {name: self.archive.read(name) for name in self.archive.namelist()}

    @property
    def metadata(self) -> Message:
        """METADATA's fields."""
        return self._headers("METADATA")

    @property
    def wheel(self) -> Message:
        """WHEEL's fields."""
        return self._headers("WHEEL")

    @cached_property
    def shared_objects(self) -> dict[str, SharedObject]:
        """Every ELF file by path."""
        return {
            path: _read(path, content)
            for path, content in self.members.items()
            if content.startswith(b"\x7fELF")
        }

    def _headers(self, name: str) -> Message:
        text = self.members[f"{self.dist_info}/{name}"].decode("utf-8")
        return HeaderParser().parsestr(text)


def _read(path: str, content: bytes) -> SharedObject:
    elf = ELFFile(io.BytesIO(content))
    dynamic = elf.get_section_by_name(".dynamic")
    symbols = elf.get_section_by_name(".dynsym")
    assert isinstance(dynamic, DynamicSection), path
    assert isinstance(symbols, SymbolTableSection), path
    tags = list(dynamic.iter_tags())
    soname = _texts(tags, "soname")
    stack = [s for s in elf.iter_segments() if s.header.p_type == "PT_GNU_STACK"]
    return SharedObject(
        path=path,
        soname=soname[0] if soname else None,
        needed=_texts(tags, "needed"),
        run_paths=_texts(tags, "rpath") + _texts(tags, "runpath"),
        versions=_versions(elf),
        exports=frozenset(
            symbol.name
            for symbol in symbols.iter_symbols()
            if symbol.entry.st_shndx != "SHN_UNDEF" and symbol.entry.st_info.bind != "STB_LOCAL"
        ),
        executable_stack=not stack or bool(stack[0].header.p_flags & 1),
    )


def _texts(tags: list[DynamicTag], kind: str) -> tuple[str, ...]:
    """The texts of all entries of one kind: `needed` for DT_NEEDED."""
    wanted = f"DT_{kind.upper()}"
    return tuple(str(getattr(tag, kind)) for tag in tags if tag.entry.d_tag == wanted)


def _versions(elf: ELFFile) -> dict[str, frozenset[str]]:
    section = elf.get_section_by_name(".gnu.version_r")
    if not isinstance(section, GNUVerNeedSection):
        return {}
    return {
        str(library.name): frozenset(str(version.name) for version in versions)
        for library, versions in section.iter_versions()
    }
