# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks that hold for a wheel before repair and after it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from ..archive.errors import RecordError
from ..elf.elf_file import ElfFile
from ..elf.errors import BadElfError
from ..inspection.facts import WheelFacts
from ..platforms.faults import forbidden_symbols, new_versions
from ..platforms.policy import PlatformPolicy
from ..providers.families import Family, original_name
from .errors import ForbiddenFileError, NewSymbolError, PolicyError

#: Present only in Pythons built with `--with-fpectl`, and with narrow unicode.
_OLD_PYTHON = frozenset({"PyFPE_jbuf", "PyFPE_dummy", "PyFPE_counter"})
_NARROW_UNICODE = "PyUnicodeUCS2_"


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
        NewSymbolError: names the file, the library, the version and a symbol that asks for it.
    """
    for new in new_versions(elf, policy):
        symbol = f" for `{new.symbols[0]}`" if new.symbols else ""
        raise NewSymbolError(
            f"`{elf.path}` needs {new.versions[0]} of `{new.library}`{symbol}, newer than "
            f"`{policy.base}`",
            hint="build with a C library no newer than the platform's, or ask for a newer platform",
        )


def check_policy(elf: ElfFile, policy: PlatformPolicy) -> None:
    """Refuse what manylinux forbids beside new symbol versions.

    Raises:
        PolicyError: names the file and the symbol or the instruction set.
    """
    if elf.isa:
        raise PolicyError(
            f"`{elf.path}` needs a processor of level {elf.isa}, beyond `{policy.base}`",
            hint="build for the baseline of the architecture, and choose faster code at run time",
        )
    for forbidden in forbidden_symbols(elf, policy):
        raise PolicyError(
            f"`{elf.path}` uses `{forbidden.symbols[0]}` of `{forbidden.library}`, which "
            f"`{policy.base}` forbids",
            hint="build on the platform asked, or ask for a newer one",
        )
    imports = {symbol.name for symbol in elf.imports}
    for symbol in sorted(imports):
        if symbol in _OLD_PYTHON or symbol.startswith(_NARROW_UNICODE):
            raise PolicyError(
                f"`{elf.path}` uses `{symbol}`, which some builds of Python lack",
                hint="build with a Python that is still supported",
            )


def check_record(wheel: WheelFacts) -> None:
    """Refuse a wheel whose RECORD disagrees with its content.

    Raises:
        RecordError: names the first file.
    """
    for problem in wheel.record_problems:
        raise RecordError(
            f"`{problem.path}` {problem.what}",
            hint="rebuild the wheel; a file was changed after RECORD was written",
        )


def check_forbidden(
    report: WheelFacts, families: Iterable[Family], patterns: Iterable[str]
) -> None:
    """Refuse excluded libraries inside the wheel, under their own or a grafted name.

    The names of families are libraries' alone; a pattern may fit any file, and means ELF files.

    Raises:
        ForbiddenFileError: names file, library and provider.
    """
    own = Family("pattern", "an exclude pattern", tuple(patterns))
    for path in sorted(report.hashes):
        elf = report.elf_files.get(path)
        names = {PurePosixPath(path).name, original_name(path)}
        if elf is not None and elf.soname:
            names |= {elf.soname, original_name(elf.soname)}
        for family in (*families, own) if elf is not None else families:
            found = sorted(name for name in names if family.matches(name))
            if found:
                raise ForbiddenFileError(
                    f"`{path}` is `{found[0]}`, which {family.provider} provides; a wheel must "
                    "not carry it",
                    hint="leave the file out and let the dependency bring it",
                )
