# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The packages of PyPI that provide libraries to others, from table.json, which `update` writes.

A release is a run of versions with the same content. Its first and its last version were read from
their wheels; those between were not, where both ends agree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from .families import FAMILIES

#: Names of CUDA packages end so; those of the toolkit do not since CUDA 13.
_SUFFIX = re.compile(r"-cu(?P<major>\d+)")
_FIRST_WITHOUT_SUFFIX = 13

TABLE = Path(__file__).with_name("table.json")


@dataclass(frozen=True)
class Content:
    """What a wheel gives to other wheels."""

    #: Path of each library in the wheel, by soname; by file name where it has none.
    libraries: Mapping[str, str] = field(default_factory=dict)
    #: Sonames that its libraries need from other packages.
    needs: tuple[str, ...] = ()
    #: Packages of the table that each of its extras brings.
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Whether it is installed beside pure Python packages, which some systems keep elsewhere.
    purelib: bool = False

    def as_json(self) -> dict[str, Any]:
        """The content without what is empty."""
        values = {
            "purelib": self.purelib,
            "libraries": dict(sorted(self.libraries.items())),
            "needs": sorted(self.needs),
            "extras": {extra: sorted(names) for extra, names in sorted(self.extras.items())},
        }
        return {key: value for key, value in values.items() if value}

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> Content:
        """The content of a row."""
        return Content(
            libraries=values.get("libraries", {}),
            needs=tuple(values.get("needs", ())),
            extras={extra: tuple(names) for extra, names in values.get("extras", {}).items()},
            purelib=values.get("purelib", False),
        )


@dataclass(frozen=True)
class Release:
    """Versions that follow each other, oldest first, and give the same."""

    versions: tuple[str, ...]
    content: Content


@dataclass(frozen=True)
class Package:
    """One package of PyPI."""

    #: Its normalised name.
    name: str
    #: Name of the family that its libraries belong to.
    family: str
    #: Oldest first.
    releases: tuple[Release, ...]

    @property
    def cuda_major(self) -> int | None:
        """The major of the CUDA toolkit that its libraries belong to; None if they are others."""
        if self.family != "cuda":
            return None
        match = _SUFFIX.search(self.name)
        return int(match["major"]) if match else _FIRST_WITHOUT_SUFFIX

    def allowed(self, specifier: SpecifierSet) -> Iterator[tuple[str, Content]]:
        """The versions that a specifier lets in, oldest first, with what each gives."""
        for release in self.releases:
            for version in release.versions:
                if specifier.contains(version, prereleases=Version(version).is_prerelease or None):
                    yield version, release.content

    def chosen(self, specifier: SpecifierSet) -> Content | None:
        """What the version gives that an installer takes: the newest allowed.

        None where no version of the table is allowed.
        """
        return next((content for _, content in reversed([*self.allowed(specifier)])), None)

    def folders(self, soname: str, specifier: SpecifierSet) -> tuple[PurePosixPath, ...]:
        """Where the versions that a specifier lets in have a library under its soname.

        Folders below site-packages, that of the newest version first.
        """
        versions = reversed([*self.allowed(specifier)])
        paths = [PurePosixPath(content.libraries.get(soname, "")) for _, content in versions]
        return tuple(dict.fromkeys(path.parent for path in paths if path.name == soname))


@dataclass(frozen=True)
class Table:
    """Every package, by normalised name."""

    packages: Mapping[str, Package]

    def providers(self, soname: str) -> tuple[Package, ...]:
        """The packages of which some version ships a library, as one of their own family."""
        return tuple(
            package
            for package in self.packages.values()
            if FAMILIES[package.family].matches(soname)
            and any(soname in release.content.libraries for release in package.releases)
        )

    @cached_property
    def tops(self) -> frozenset[str]:
        """The folders of site-packages that the packages install libraries below."""
        return frozenset(
            path.partition("/")[0]
            for package in self.packages.values()
            for release in package.releases
            for path in release.content.libraries.values()
        )

    def required(self, requirements: Iterable[Requirement]) -> dict[str, Requirement]:
        """The packages of the table that requirements name, by themselves or by their extras.

        Whatever an environment marker says, the requirement counts: an extra is a way to declare.
        """
        found: dict[str, Requirement] = {}
        for requirement in requirements:
            package = self.packages.get(canonicalize_name(requirement.name))
            if package is None:
                continue
            found[package.name] = requirement
            content = package.chosen(requirement.specifier)
            extras = content.extras if content else {}
            for extra in sorted(requirement.extras):
                for name in extras.get(extra, ()):
                    found.setdefault(name, Requirement(name))
        return found


def parse_table(text: str) -> Table:
    """Read the text of table.json."""
    packages = {}
    for name, values in json.loads(text)["packages"].items():
        releases = tuple(
            Release(tuple(row["versions"].split()), Content.from_json(row))
            for row in values["releases"]
        )
        packages[name] = Package(name, values["family"], releases)
    return Table(packages)


def render_table(table: Table) -> str:
    """The text of table.json."""
    packages = {
        package.name: {
            "family": package.family,
            "releases": [
                {"versions": " ".join(release.versions), **release.content.as_json()}
                for release in package.releases
            ],
        }
        for package in table.packages.values()
    }
    content = {"generated_by": "//tools/wheel/providers:update", "packages": packages}
    return json.dumps(content, indent=1) + "\n"


@cache
def default_table() -> Table:
    """The table that is checked in."""
    return parse_table(TABLE.read_text(encoding="utf-8"))
