# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How each library that a wheel's files need is met at run time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ..archive.names import installed_path
from ..elf.elf_file import ElfFile
from ..elf.errors import BadElfError
from ..elf.reader import read_elf
from ..inspection.facts import WheelFacts
from .checks import check_machine
from .errors import UnresolvedLibraryError
from .families import Family
from .policy import PlatformPolicy
from .rpath import search_folders


class Outcome(str, Enum):
    """Where a needed library comes from at run time."""

    BUNDLED = "bundled"
    PLATFORM = "platform"
    EXCLUDED = "excluded"
    GRAFTED = "grafted"


@dataclass(frozen=True)
class Dependency:
    """One needed library and how it is met."""

    library: str
    outcome: Outcome
    #: Path in the wheel, policy, family or pattern, or file to copy: by outcome.
    source: str
    #: Paths in the wheel; a library to copy stands where it will lie, without auditwheel's hash.
    needed_by: tuple[str, ...]


@dataclass(frozen=True)
class Resolver:
    """The places where a needed library may come from."""

    report: WheelFacts
    policy: PlatformPolicy
    families: tuple[Family, ...]
    patterns: tuple[str, ...]
    library_folders: tuple[Path, ...]

    def dependencies(self) -> tuple[Dependency, ...]:
        """Every need of every file of the wheel and of the libraries copied into it, sorted.

        Raises:
            UnresolvedLibraryError: nothing provides a needed library.
            BadElfError: a library to copy is damaged, or for another machine.
        """
        met: dict[tuple[str, Outcome, str], list[str]] = {}
        files = [elf for _, elf in sorted(self.report.elf_files.items())]
        grafted: set[str] = set()
        for elf in files:
            for library in elf.needed:
                outcome, source = self._resolve(library, elf)
                met.setdefault((library, outcome, source), []).append(elf.path)
                if outcome is Outcome.GRAFTED and library not in grafted:
                    grafted.add(library)
                    files.append(self._read_library(library, Path(source)))
        return tuple(Dependency(*key, tuple(needed_by)) for key, needed_by in sorted(met.items()))

    def _read_library(self, library: str, source: Path) -> ElfFile:
        place = f"{self.report.name.libs}/{library}"
        with source.open("rb") as stream:
            elf = read_elf(stream, place)
        if elf is None:
            raise BadElfError(
                f"`{source}` is not a shared object", hint="name folders of shared libraries alone"
            )
        check_machine(elf, self.policy)
        return elf

    def _resolve(self, library: str, elf: ElfFile) -> tuple[Outcome, str]:
        for family in self.families:
            if family.matches(library):
                return Outcome.EXCLUDED, family.name
        for pattern in self.patterns:
            if fnmatchcase(library, pattern):
                return Outcome.EXCLUDED, pattern
        bundled = self._find_bundled(library, elf)
        if bundled:
            return Outcome.BUNDLED, bundled
        if self.policy.provides(library):
            return Outcome.PLATFORM, self.policy.base
        for folder in self.library_folders:
            if (folder / library).is_file():
                return Outcome.GRAFTED, str(folder / library)
        searched = [str(folder) for folder in search_folders(elf)]
        raise UnresolvedLibraryError(
            f"`{elf.path}` needs `{library}`, which is not in the wheel, not promised by "
            f"`{self.policy.base}` and not excluded; its search path is {searched}",
            hint="ship the library, exclude its family (`exclude_families`), or let it be copied "
            "in (`libraries`; by hand `--library-folder`)",
        )

    def _find_bundled(self, library: str, elf: ElfFile) -> str:
        """The wheel's file that meets a need: by search path, else by name.

        By name it works when another file of the wheel has loaded it before.
        """
        by_place = {str(installed_path(path)): path for path in self.report.elf_files}
        for folder in search_folders(elf):
            path = by_place.get(str(folder / library))
            if path:
                return path
        names = (path for path in sorted(self.report.elf_files))
        found = next((path for path in names if PurePosixPath(path).name == library), "")
        if found and any(symbol.name.startswith("PyInit_") for symbol in elf.exports):
            searched = [str(folder) for folder in search_folders(elf)]
            raise UnresolvedLibraryError(
                f"`{elf.path}` needs `{library}`, which is in the wheel at `{found}`, where its "
                f"search path {searched} does not lead",
                hint="link it with an RPATH such as `$ORIGIN/lib`, for Python loads it first",
            )
        return found
