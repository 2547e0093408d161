# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How each library that a wheel's files need is met at run time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ..archive.names import installed_path
from .elf import ElfFile
from .errors import UnresolvedLibraryError
from .families import Family
from .inspection import WheelReport
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
    needed_by: tuple[str, ...]


@dataclass(frozen=True)
class Resolver:
    """The places where a needed library may come from."""

    report: WheelReport
    policy: PlatformPolicy
    families: tuple[Family, ...]
    patterns: tuple[str, ...]
    library_folders: tuple[Path, ...]

    def dependencies(self) -> tuple[Dependency, ...]:
        """Every need of every file of the wheel, sorted.

        Raises:
            UnresolvedLibraryError: nothing provides a needed library.
        """
        met: dict[tuple[str, Outcome, str], list[str]] = {}
        for path, elf in sorted(self.report.elf_files.items()):
            for library in elf.needed:
                met.setdefault((library, *self._resolve(library, elf)), []).append(path)
        return tuple(Dependency(*key, tuple(needed_by)) for key, needed_by in sorted(met.items()))

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
            hint="ship the library, exclude its family (`exclude_families`) or name its folder "
            "(`library_folders`)",
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
        return next((path for path in names if PurePosixPath(path).name == library), "")
