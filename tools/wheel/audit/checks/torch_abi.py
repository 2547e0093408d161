# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Whether files that use libtorch do with every torch that the wheel admits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from ...elf.elf_file import Binding
from ...inspection.facts import WheelFacts
from ...torch_abi.symbols import is_unstable, names_new_string, names_old_string, shims
from ..check import Problem, Severity, check
from ..settings import Settings
from .wording import some

#: Releases of torch that a requirement may admit; the last ones do not exist yet.
_MINORS = [(2, minor) for minor in range(40)]
#: From this one on, PyPI's wheels of torch have the new std::string.
_NEW_STRING_SINCE = (2, 7)
_CLAIM = re.compile(r"cxx11_?abi_?(?P<value>true|false|1|0)", re.IGNORECASE)


def _imports(wheel: WheelFacts) -> Iterator[tuple[str, list[str]]]:
    """For every file the symbols that it needs from outside the wheel."""
    own = frozenset(symbol.name for elf in wheel.elf_files.values() for symbol in elf.exports)
    for path, elf in sorted(wheel.elf_files.items()):
        yield (
            path,
            [
                symbol.name
                for symbol in elf.imports
                if symbol.binding is not Binding.WEAK and symbol.name not in own
            ],
        )


def _admitted(wheel: WheelFacts) -> list[tuple[int, int]] | None:
    """The minor releases of torch that the wheel admits; None where it does not require torch."""
    specifiers = [
        requirement.specifier
        for requirement in wheel.metadata.requires_dist
        if canonicalize_name(requirement.name) == "torch"
        and "extra" not in str(requirement.marker or "")
    ]
    if not specifiers:
        return None
    return [minor for minor in _MINORS if all(_admits(each, minor) for each in specifiers)]


def _admits(specifier: SpecifierSet, release: tuple[int, int]) -> bool:
    major, minor = release
    patches = (f"{major}.{minor}.{patch}" for patch in range(10))
    return any(specifier.contains(patch, prereleases=True) for patch in patches)


def _spell(release: tuple[int, int]) -> str:
    return f"{release[0]}.{release[1]}"


@check(
    "torch-range",
    exit_code=86,
    behaviours=(21,),
    severity=Severity.WARNING,
    hint="require the minor release that it was built with, such as `torch==2.9.*`, or build with "
    "torch's stable ABI (`torch/csrc/stable`)",
)
def torch_range(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """A wheel that uses C++ of libtorch requires one minor release of it: the next one differs."""
    admitted = _admitted(wheel)
    if admitted is not None and len(admitted) <= 1:
        return
    for path, names in _imports(wheel):
        unstable = [name for name in names if is_unstable(name)]
        if unstable:
            range_of = (
                "the wheel requires no torch"
                if admitted is None
                else f"the wheel admits torch {_spell(admitted[0])} and newer minor releases"
            )
            yield Problem(path, f"it uses {some(unstable)} of libtorch's C++; {range_of}")


@check(
    "torch-cxx11-abi",
    exit_code=87,
    behaviours=(21,),
    hint="build with the `_GLIBCXX_USE_CXX11_ABI` of the torch that the wheel requires: "
    "`torch.compiled_with_cxx11_abi()`",
)
def torch_cxx11_abi(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The std::string in libtorch's symbols is that of the wheel's name and of its torch."""
    claim = _CLAIM.search(str(wheel.name))
    claimed = claim["value"].lower() in ("true", "1") if claim else None
    admitted = _admitted(wheel)
    old_files = []
    new_files = []
    for path, names in _imports(wheel):
        unstable = [name for name in names if is_unstable(name)]
        old = [name for name in unstable if names_old_string(name)]
        new = [name for name in unstable if names_new_string(name)]
        old_files += [path] if old else []
        new_files += [path] if new else []
        wrong = old if claimed else new if claimed is False else []
        if claim and wrong:
            found = "old" if claimed else "new"
            yield Problem(
                path,
                f"it uses {some(wrong)} with the {found} std::string; the name says `{claim[0]}`",
            )
        elif old and admitted and admitted[0] >= _NEW_STRING_SINCE:
            yield Problem(
                path,
                f"it uses {some(old)} with the old std::string; torch {_spell(admitted[0])} has "
                "the new one",
            )
    if old_files and new_files:
        yield Problem(
            "",
            f"{some(old_files, most=1)} uses libtorch with the old std::string, "
            f"{some(new_files, most=1)} with the new one: no torch has both",
        )


@check(
    "torch-stable-abi",
    exit_code=88,
    behaviours=(21,),
    hint="require a torch that has the functions, or set `TORCH_TARGET_VERSION` to an older one",
)
def torch_stable_abi(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every torch that the wheel admits has the functions of the stable ABI that it uses."""
    admitted = _admitted(wheel)
    if not admitted:
        return
    since = shims()
    for path, names in _imports(wheel):
        newer = [name for name in names if since.get(name, admitted[0]) > admitted[0]]
        if newer:
            first = max(since[name] for name in newer)
            yield Problem(
                path,
                f"it uses {some(newer)}, in torch since {_spell(first)}; the wheel admits "
                f"{_spell(admitted[0])}",
            )


CHECKS = (torch_range, torch_cxx11_abi, torch_stable_abi)
