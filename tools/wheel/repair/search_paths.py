# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The way from each file of a wheel to the excluded libraries, where installers put them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from packaging.requirements import Requirement

from ..archive.names import installed_path
from ..fatbin.driver import toolkit_major
from ..fatbin.summary import soname_major
from ..inspection.facts import WheelFacts
from ..providers.table import Package, default_table
from .resolve import Dependency, Outcome
from .rpath import relative_entry, search_folders


@dataclass(frozen=True)
class AddedEntry:
    """A search path entry that leads to a folder of other packages."""

    entry: str
    #: The libraries that it is for, each with the required package that ships it.
    libraries: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, object]:
        """For printing."""
        found = [{"library": library, "package": package} for library, package in self.libraries]
        return {"entry": self.entry, "for": found}


def plan_search_paths(
    wheel: WheelFacts, dependencies: Iterable[Dependency]
) -> dict[str, tuple[AddedEntry, ...]]:
    """The entries that each file lacks, by its path among those that need libraries.

    A file that is not installed beside packages gets none, and so does a library that no required
    package ships.

    Args:
        wheel: the wheel.
        dependencies: how each need is met.
    """
    needs: dict[str, list[Dependency]] = {}
    for item in dependencies:
        for path in item.needed_by:
            needs.setdefault(path, []).append(item)
    required = default_table().required(wheel.metadata.requires_dist)
    added = {}
    for path, items in needs.items():
        place, elf = installed_path(path), wheel.elf_files.get(path)
        if place is None:
            continue
        known = search_folders(elf) if elf else []
        folders: dict[PurePosixPath, list[tuple[str, str]]] = {}
        for library, package, folder in _sources(items, required, _majors(wheel, path, items)):
            if folder not in known:
                folders.setdefault(folder, []).append((library, package))
        if folders:
            added[path] = tuple(
                AddedEntry(relative_entry(place, folder), tuple(libraries))
                for folder, libraries in folders.items()
            )
    return added


def _sources(
    needs: Iterable[Dependency], required: Mapping[str, Requirement], majors: set[int]
) -> Iterator[tuple[str, str, PurePosixPath]]:
    """Every excluded library with the required packages that ship it, and the folders there."""
    for item in needs:
        if item.outcome is Outcome.EXCLUDED:
            providers = default_table().providers(item.library)
            packages = [package for package in providers if package.name in required]
            for package in _of_majors(packages, majors):
                for folder in package.folders(item.library, required[package.name].specifier):
                    yield item.library, package.name, folder


def _majors(wheel: WheelFacts, path: str, needs: Iterable[Dependency]) -> set[int]:
    """The majors of the CUDA toolkit that a file is for, by its libraries or else by its code."""
    majors = {major for item in needs if (major := soname_major(item.library))}
    code = wheel.device_code.get(path)
    made_by = toolkit_major(code.images) if code else None
    return majors or ({made_by} if made_by else set())


def _of_majors(packages: list[Package], majors: set[int]) -> list[Package]:
    """Of several packages that ship a library, those for the toolkit of the file that needs it."""
    return [package for package in packages if package.cuda_major in majors] or packages
