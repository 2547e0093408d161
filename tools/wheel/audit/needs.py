# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How each library that a wheel's files need is met once the wheel is installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import PurePosixPath
from typing import Any

from ..archive.names import installed_path
from ..elf.elf_file import ElfFile
from ..elf.graph import ElfGraph
from ..elf.search_path import search_folder
from ..inspection.facts import WheelFacts
from ..platforms.errors import UnknownPlatformError
from ..platforms.policy import PlatformPolicy, known_policies, nearest_policy
from ..providers.families import DRIVER, FAMILIES
from ..providers.site_packages import Distribution, Layout, SitePackages
from ..providers.table import Content, Package, default_table
from .settings import Settings


class Means(Enum):
    """Where a needed library comes from."""

    #: Another file of the wheel.
    BUNDLED = "bundled"
    #: Every machine that the tags promise has it.
    PLATFORM = "platform"
    #: The driver, on machines that have one.
    DRIVER = "driver"
    #: A package that the wheel requires, itself or through an extra.
    REQUIRED = "required"
    #: The project says so.
    EXTERNAL = "external"
    #: A search path leads into the folder of a package that the table does not know.
    ELSEWHERE = "elsewhere"
    #: Nowhere.
    MISSING = "missing"


@dataclass(frozen=True)
class Need:
    """One library that one file needs."""

    library: str
    #: The file, by path in the wheel; "" for a library that is declared as opened at run time.
    path: str
    means: Means
    #: Path in the wheel or package: by means.
    provider: str = ""
    #: From a file of the wheel that no other needs, to the library.
    chain: tuple[str, ...] = ()
    #: Layouts where the file's search path leads to the library.
    layouts: frozenset[Layout] = frozenset()
    #: Whether something is known to have loaded it before.
    loaded: bool = False
    #: Whether Python imports the file, or a file that needs it; else code of the wheel opens it.
    imported: bool = False


def needs(wheel: WheelFacts, settings: Settings) -> tuple[Need, ...]:
    """Every need of every file of a wheel, and of the libraries it declares to open, by file.

    The last answer is kept: several checks ask the same.
    """
    if not (_last and _last[0] is wheel and _last[1] is settings):
        _last[:] = [wheel, settings, tuple(_Wheel(wheel, settings).needs())]
    found: tuple[Need, ...] = _last[2]
    return found


_last: list[Any] = []


class _Wheel:
    """A wheel as it will be installed."""

    def __init__(self, wheel: WheelFacts, settings: Settings) -> None:
        self._wheel = wheel
        self._settings = settings
        self._graph = ElfGraph(wheel.elf_files)
        self._platforms = _platforms(wheel, settings)
        self._required = _required(wheel)
        self._site = SitePackages(
            Distribution(
                wheel.name.distribution,
                wheel.metadata.root_is_purelib,
                frozenset(place for path in wheel.elf_files if (place := installed_path(path))),
            ),
            tuple(_distributions(self._required)),
        )

    def needs(self) -> Iterator[Need]:
        for _, elf in sorted(self._wheel.elf_files.items()):
            for library in elf.needed:
                yield self._need(library, elf)
        for library in self._settings.runtime_libraries:
            yield self._need(library, None)

    def _need(self, library: str, elf: ElfFile | None) -> Need:
        folders = self._folders(elf) if elf else ()
        means, provider, loaded = self._means(library, folders)
        return Need(
            library=library,
            path=elf.path if elf else "",
            means=means,
            provider=provider,
            chain=(*(self._graph.chain(elf.path) if elf else ("opened at run time",)), library),
            layouts=frozenset(
                layout for layout in Layout if self._site.find(library, folders, layout)
            ),
            loaded=loaded,
            imported=elf is not None and elf.path in self._graph.imported,
        )

    def _means(self, library: str, folders: tuple[PurePosixPath, ...]) -> tuple[Means, str, bool]:
        """Where a library comes from, from whom, and whether something has loaded it before."""
        if DRIVER.matches(library):
            return Means.DRIVER, "", True
        bundled = self._graph.find(library)
        if bundled:
            return Means.BUNDLED, bundled, self._loads(library, bundled)
        if all(platform.provides(library) for platform in self._platforms):
            return Means.PLATFORM, "", True
        if any(fnmatchcase(library, pattern) for pattern in self._settings.external):
            return Means.EXTERNAL, "", True
        for package, content in self._required:
            imported = FAMILIES[package.family].imported
            if library in content.libraries or (imported and library in content.needs):
                return Means.REQUIRED, package.name, imported
        if not default_table().providers(library):
            for folder in folders:
                top = folder.parts[:1]
                if top and top[0] not in self._tops and folder not in _known_folders():
                    return Means.ELSEWHERE, str(folder), False
        return Means.MISSING, "", False

    @cached_property
    def _tops(self) -> frozenset[str]:
        """The packages and modules that the wheel installs."""
        return frozenset(path.partition("/")[0] for path in self._wheel.paths)

    def _loads(self, library: str, path: str) -> bool:
        """Whether Python, or another file of the wheel, can load a file of it by itself."""
        return library in self._reached or path in self._graph.modules

    @cached_property
    def _reached(self) -> frozenset[str]:
        """The wheel's libraries that the search path of some file of it leads to."""
        return frozenset(
            library
            for elf in self._wheel.elf_files.values()
            for library in elf.needed
            if self._site.find(library, self._folders(elf), Layout.LINKED)
        )

    def _folders(self, elf: ElfFile) -> tuple[PurePosixPath, ...]:
        """Where a file's libraries are looked for: DT_RPATH of the files that load it counts."""
        files = [elf]
        if not elf.runpath:
            above = [self._wheel.elf_files[path] for path in self._graph.chain(elf.path)[:-1]]
            files += [other for other in reversed(above) if not other.runpath]
        return tuple(
            folder
            for file in files
            if (place := installed_path(file.path))
            for entry in file.search_path
            if (folder := search_folder(place, entry)) is not None
        )


def _platforms(wheel: WheelFacts, settings: Settings) -> list[PlatformPolicy]:
    """What the wheel is promised, by the declared policy or else by its tags.

    A wheel whose tags promise nothing is held to the newest platform.
    """
    architectures = sorted({elf.architecture for elf in wheel.elf_files.values()})
    names = {tag.rpartition("-")[2] for tag in wheel.metadata.tags}
    if settings.policy:
        names = {f"{settings.policy}_{architecture}" for architecture in architectures}
    with suppress(UnknownPlatformError):
        found = [nearest_policy(name) for name in sorted(names)]
        if None not in found:
            return [policy for policy in found if policy is not None]
    return [_newest(architecture) for architecture in architectures]


def _newest(architecture: str) -> PlatformPolicy:
    try:
        return known_policies(architecture)[-1]
    except UnknownPlatformError:
        return known_policies("x86_64")[-1]


def _required(wheel: WheelFacts) -> list[tuple[Package, Content]]:
    """The packages of the table that are required, with what the chosen version gives."""
    table = default_table()
    return [
        (table.packages[name], content)
        for name, requirement in table.required(wheel.metadata.requires_dist).items()
        if (content := table.packages[name].chosen(requirement.specifier)) is not None
    ]


def _distributions(required: list[tuple[Package, Content]]) -> Iterator[Distribution]:
    """The packages on the disk: those required, and those that they need themselves."""
    table = default_table()
    contents = {package.name: content for package, content in required}
    for _, content in required:
        for library in content.needs:
            for package in table.providers(library):
                newest = [
                    release.content
                    for release in package.releases
                    if library in release.content.libraries
                ][-1]
                contents.setdefault(package.name, newest)
    for name, content in contents.items():
        files = frozenset(PurePosixPath(path) for path in content.libraries.values())
        yield Distribution(name, content.purelib, files)


@cache
def _known_folders() -> frozenset[PurePosixPath]:
    """Every folder with libraries of a package in the table."""
    return frozenset(
        PurePosixPath(path).parent
        for package in default_table().packages.values()
        for release in package.releases
        for path in release.content.libraries.values()
    )
