# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What an ELF file asks of a platform that the platform does not promise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..elf.elf_file import Binding, ElfFile, Symbol
from .policy import PlatformPolicy


@dataclass(frozen=True)
class NewVersions:
    """Symbol versions that the platform's library may lack."""

    library: str
    #: The newest first.
    versions: tuple[str, ...]
    #: The symbols that ask for the newest; none where the file asks for the version alone.
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class ForbiddenSymbols:
    """Symbols of a platform's library that not every build of it has."""

    library: str
    symbols: tuple[str, ...]


def new_versions(
    elf: ElfFile, policy: PlatformPolicy, bundled: Callable[[str], object] = lambda library: False
) -> Iterator[NewVersions]:
    """The symbol versions, by library, that are newer than the platform.

    Args:
        elf: the file.
        policy: the platform.
        bundled: tells the libraries that come along, and so need not be the platform's.
    """
    for library, versions in elf.versions:
        if policy.provides(library) and not bundled(library):
            newer = sorted(
                (version for version in versions if not policy.allows(version)),
                key=_age,
                reverse=True,
            )
            if newer:
                users = tuple(
                    symbol.name
                    for symbol in elf.imports
                    if (symbol.library, symbol.version) == (library, newer[0])
                )
                yield NewVersions(library, tuple(newer), users)


def forbidden_symbols(
    elf: ElfFile, policy: PlatformPolicy, bundled: Callable[[str], object] = lambda library: False
) -> Iterator[ForbiddenSymbols]:
    """The symbols, by library, that the policy forbids; arguments as of `new_versions`."""
    imports = {symbol.name for symbol in elf.imports if _is_required(symbol, policy)}
    for library in elf.needed:
        found = sorted(imports & policy.forbidden.get(library, frozenset()))
        if found and not bundled(library):
            yield ForbiddenSymbols(library, tuple(found))


def _is_required(symbol: Symbol, policy: PlatformPolicy) -> bool:
    """Whether the file fails without a symbol, and not already for its version."""
    return symbol.binding is not Binding.WEAK and policy.allows(symbol.version)


def _age(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
