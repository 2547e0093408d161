# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the tools need to know of one ELF file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

#: Flags of segments.
EXECUTABLE, WRITABLE, READABLE = 1, 2, 4


class Binding(Enum):
    """How the linker treats a symbol."""

    LOCAL = 0
    GLOBAL = 1
    WEAK = 2
    UNIQUE = 10


@dataclass(frozen=True, slots=True)
class Symbol:
    """One dynamic symbol."""

    name: str
    #: Version asked or offered, such as GLIBC_2.17; "" for none.
    version: str
    #: Soname of the library that the version is asked of; "" for none.
    library: str
    binding: Binding
    defined: bool

    def __str__(self) -> str:
        return f"{self.name}@{self.version}" if self.version else self.name


@dataclass(frozen=True)
class Segment:
    """One program header."""

    #: Its type without the prefix: LOAD, DYNAMIC, GNU_STACK.
    kind: str
    flags: int
    offset: int
    address: int
    file_size: int
    memory_size: int
    alignment: int


@dataclass(frozen=True)
class Section:
    """One section header."""

    name: str
    #: Its type without the prefix: PROGBITS, NOBITS, STRTAB.
    kind: str
    address: int
    offset: int
    size: int
    #: sha256 of the content, for sections that no tool may change; "" for the others.
    sha256: str = ""
    #: Whether it is in memory when the file is loaded.
    loaded: bool = False


@dataclass(frozen=True)
class ElfFile:
    """One shared object or executable."""

    #: Path in the wheel.
    path: str
    #: Architecture as platform tags spell it, or a phrase where no tag knows it.
    architecture: str
    soname: str
    needed: tuple[str, ...]
    #: Entries of DT_RPATH and DT_RUNPATH, split at colons, as written.
    rpath: tuple[str, ...]
    runpath: tuple[str, ...]
    #: For every library the symbol versions it must have: (("libc.so.6", ("GLIBC_2.17",)),).
    versions: tuple[tuple[str, tuple[str, ...]], ...]
    #: Dynamic symbols, in the order of the file.
    symbols: tuple[Symbol, ...] = ()
    segments: tuple[Segment, ...] = ()
    sections: tuple[Section, ...] = ()
    #: Whether it is a program: an executable, or a shared object with an interpreter.
    executable: bool = False
    build_id: str = ""
    #: Versions that the loader does without where a library lacks them; as `versions`.
    weak_versions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    #: Symbol versions that it offers.
    defined_versions: tuple[str, ...] = ()
    #: Level of x86-64 that it asks the processor for, such as x86-64-v3; "" for none.
    isa: str = ""
    #: Bytes of the file.
    size: int = 0

    @property
    def search_path(self) -> tuple[str, ...]:
        """The entries that the dynamic loader uses: DT_RUNPATH hides DT_RPATH."""
        return self.runpath or self.rpath

    @cached_property
    def imports(self) -> tuple[Symbol, ...]:
        """Symbols that other libraries must define."""
        return tuple(symbol for symbol in self.symbols if not symbol.defined)

    @cached_property
    def exports(self) -> tuple[Symbol, ...]:
        """Symbols that other libraries can bind to."""
        return tuple(symbol for symbol in self.symbols if symbol.defined)

    def section(self, name: str) -> Section | None:
        """The first section of a name."""
        return next((section for section in self.sections if section.name == name), None)
