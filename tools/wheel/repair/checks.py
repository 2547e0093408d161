# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks that hold for a wheel before repair and after it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from .elf import ElfFile
from .errors import BadElfError, ForbiddenFileError, NewSymbolError
from .families import Family, original_name
from .inspection import WheelReport
from .policy import PlatformPolicy


def check_machine(elf: ElfFile, policy: PlatformPolicy) -> None:
    """Refuse a file for another architecture than the platform's.

    Raises:
        BadElfError: names the file and both architectures.
    """
    if elf.architecture != policy.architecture:
        raise BadElfError(
            f"`{elf.path}` is for {elf.architecture}, the platform is {policy.architecture}",
            hint="build every file of a wheel for one architecture",
        )


def check_symbols(elf: ElfFile, policy: PlatformPolicy) -> None:
    """Refuse symbol versions that the platform does not promise.

    Raises:
        NewSymbolError: names the file, the library and the version.
    """
    for library, versions in elf.versions:
        for version in versions:
            if policy.provides(library) and not policy.allows(version):
                raise NewSymbolError(
                    f"`{elf.path}` needs {version} of `{library}`, newer than `{policy.base}`",
                    hint="build with a C library no newer than the platform's, or ask for a newer "
                    "platform",
                )


def check_forbidden(
    report: WheelReport, families: Iterable[Family], patterns: Iterable[str]
) -> None:
    """Refuse excluded libraries inside the wheel, under their own or a grafted name.

    Raises:
        ForbiddenFileError: names file, library and provider.
    """
    own = Family("pattern", "an exclude pattern", tuple(patterns))
    for path in sorted(report.hashes):
        elf = report.elf_files.get(path)
        names = {PurePosixPath(path).name, original_name(path)}
        if elf is not None and elf.soname:
            names |= {elf.soname, original_name(elf.soname)}
        for family in (*families, own):
            found = sorted(name for name in names if family.matches(name))
            if found:
                raise ForbiddenFileError(
                    f"`{path}` is `{found[0]}`, which {family.provider} provides; a wheel must "
                    "not carry it",
                    hint="leave the file out and let the dependency bring it",
                )
