# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How each library that a wheel's files need is met at run time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ..archive.names import installed_path
from ..elf.elf_file import ElfFile
from ..elf.errors import BadElfError
from ..elf.graph import ElfGraph
from ..elf.reader import read_elf
from ..inspection.facts import WheelFacts
from ..platforms.policy import PlatformPolicy
from ..providers.families import FAMILIES, Family, is_opened_by_name
from .checks import check_machine
from .errors import NotAllowedError, UnresolvedLibraryError, UnusedExcludeError
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
    #: The shortest way to it, from a file of the wheel that no other needs.
    chain: tuple[str, ...]


@dataclass(frozen=True)
class Resolver:
    """The places where a needed library may come from."""

    report: WheelFacts
    policy: PlatformPolicy
    families: tuple[Family, ...]
    patterns: tuple[str, ...]
    library_folders: tuple[Path, ...]
    #: Soname patterns of the libraries in those folders that may be copied.
    allow_grafted: tuple[str, ...]

    def dependencies(self) -> tuple[Dependency, ...]:
        """Every need of every file of the wheel and of the libraries copied into it, sorted.

        Raises:
            UnresolvedLibraryError: nothing provides a needed library.
            NotAllowedError: a library would have to be copied that nothing allows.
            UnusedExcludeError: an exclude pattern matches no needed library.
            BadElfError: a library to copy is damaged, or for another machine.
        """
        met: dict[tuple[str, Outcome, str], list[str]] = {}
        queue = [elf for _, elf in sorted(self.report.elf_files.items())]
        files = {elf.path: elf for elf in queue}
        for elf in queue:
            for library in elf.needed:
                outcome, source = self._resolve(library, elf, files)
                met.setdefault((library, outcome, source), []).append(elf.path)
                place = f"{self.report.name.libs}/{library}"
                if outcome is Outcome.GRAFTED and place not in files:
                    files[place] = self._read_library(place, Path(source))
                    queue.append(files[place])
        self._check_patterns(sorted({library for library, _, _ in met}))
        graph = ElfGraph(files)
        return tuple(
            Dependency(
                *key,
                needed_by=tuple(needed_by),
                chain=min((_chain(graph, path, key[0]) for path in needed_by), key=len),
            )
            for key, needed_by in sorted(met.items())
        )

    def _check_patterns(self, libraries: list[str]) -> None:
        for pattern in self.patterns:
            if not any(fnmatchcase(library, pattern) for library in libraries):
                near = [library for library in libraries if _stem(library) == _stem(pattern)]
                raise UnusedExcludeError(
                    f"exclude pattern `{pattern}` matches no library that the wheel needs"
                    + (f"; it needs `{near[0]}`" if near else ""),
                    hint="correct the pattern or remove it; `--dry-run` lists what is needed",
                )

    def _read_library(self, place: str, source: Path) -> ElfFile:
        with source.open("rb") as stream:
            elf = read_elf(stream, str(source))
        if elf is None:
            raise BadElfError(
                f"`{source}` is not a shared object", hint="name folders of shared libraries alone"
            )
        check_machine(elf, self.policy)
        return replace(elf, path=place)

    def _resolve(
        self, library: str, elf: ElfFile, files: Mapping[str, ElfFile]
    ) -> tuple[Outcome, str]:
        for family in self.families:
            if family.matches(library):
                return Outcome.EXCLUDED, family.name
        for pattern in self.patterns:
            if fnmatchcase(library, pattern):
                return Outcome.EXCLUDED, pattern
        if "/" in library:
            raise UnresolvedLibraryError(
                f"`{elf.path}` needs `{library}`, a path, which the loader looks for in no search "
                "path" + _chain_line(_chain(ElfGraph(files), elf.path, library)),
                hint="link the library with a soname, "
                f"`-Wl,-soname,{PurePosixPath(library).name}`, then the file with the library",
            )
        bundled = self._find_bundled(library, elf)
        if bundled:
            return Outcome.BUNDLED, bundled
        if self.policy.provides(library):
            return Outcome.PLATFORM, self.policy.base
        for folder in self.library_folders:
            if (folder / library).is_file():
                self._check_allowed(library, folder, _chain(ElfGraph(files), elf.path, library))
                return Outcome.GRAFTED, str(folder / library)
        searched = [str(folder) for folder in search_folders(elf)]
        near = [pattern for pattern in self.patterns if _stem(pattern) == _stem(library)]
        raise UnresolvedLibraryError(
            f"`{elf.path}` needs `{library}`, which is not in the wheel, not promised by "
            f"`{self.policy.base}` and not excluded; its search path is {searched}"
            + (f"; exclude pattern `{near[0]}` does not match it" if near else "")
            + _chain_line(_chain(ElfGraph(files), elf.path, library)),
            hint=_hint(library),
        )

    def _check_allowed(self, library: str, folder: Path, chain: tuple[str, ...]) -> None:
        if not any(fnmatchcase(library, pattern) for pattern in self.allow_grafted):
            raise NotAllowedError(
                f"`{library}` would be copied from `{folder}`, which nothing allows"
                + _chain_line(chain),
                hint="exclude the library, or allow the copy (`libraries`; by hand "
                "`--allow-grafted`)",
            )
        if is_opened_by_name(library):
            raise NotAllowedError(
                f"`{library}` is opened by its file name at run time, and a copy is renamed"
                + _chain_line(chain),
                hint="exclude its family, and require the package that provides it",
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


def _chain(graph: ElfGraph, path: str, library: str) -> tuple[str, ...]:
    return (*graph.chain(path), library)


def _chain_line(chain: tuple[str, ...]) -> str:
    return f"\nchain: {' -> '.join(chain)}"


def _hint(library: str) -> str:
    """What to do about a library that nothing provides."""
    family = next((item.name for item in FAMILIES.values() if item.matches(library)), None)
    if family:
        return f"leave it outside: `exclude_families`, by hand `--exclude-family {family}`"
    return (
        "ship the library, leave it outside (`exclude`, by hand `--exclude`), or let it be copied "
        "in (`libraries`, by hand `--library-folder` and `--allow-grafted`)"
    )


def _stem(name: str) -> str:
    """A soname, or a pattern of sonames, without its version."""
    return name.partition(".so")[0]
