# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Whether extension modules do with the Pythons that the tags promise."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath

from abi3info import DATAS, FUNCTIONS
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from ...elf.elf_file import Binding
from ...inspection.facts import WheelFacts
from ..check import Problem, check
from ..settings import Settings
from .wording import some

_STABLE_ABIS = frozenset({"abi3", "abi3t"})
_CPYTHON_SYMBOL = re.compile(r"_?Py[A-Z_].*")
#: Suffix of an extension module that one version of CPython alone imports.
_VERSIONED = re.compile(r"\.cpython-3(?P<minor>\d+)(?P<flags>[a-z]*)(?:-[\w-]+)?\.so")
#: What an extension module exports for the interpreter to start at.
_ENTRY_POINTS = ("PyInit_", "PyInitU_", "PyModExport_")
_FREE_THREADED = re.compile(r"cp3\d+t")
_TAG = re.compile(r"(?:cp|py)3(?P<minor>\d*)")
_NEWEST_MINOR = 99


def _tagged_minors(wheel: WheelFacts) -> list[int | None]:
    """Minors of the Python tags; None for one that names Python 3 alone."""
    matches = (_TAG.fullmatch(tag) for tag in wheel.name.python_tag.split("."))
    return [int(match["minor"]) if match["minor"] else None for match in matches if match]


def _oldest_minor(wheel: WheelFacts) -> int | None:
    """The oldest Python 3 that may install the wheel; None where nothing tells."""
    minors = [minor for minor in _tagged_minors(wheel) if minor is not None]
    try:
        required = SpecifierSet(wheel.metadata.requires_python)
    except InvalidSpecifier:
        required = SpecifierSet()
    first = min(minors, default=0)
    if not minors and not required:
        return None
    return next((minor for minor in range(first, _NEWEST_MINOR) if _admits(required, minor)), first)


def _admits(required: SpecifierSet, minor: int) -> bool:
    # A specifier such as `>=3.9.2` leaves a part of a minor out, and the rest in.
    return any(required.contains(f"3.{minor}.{patch}", prereleases=True) for patch in (0, 50))


@cache
def _stable_abi() -> Mapping[str, int]:
    """Symbols of CPython's stable ABI, each with the minor that it came with."""
    return {
        symbol.name: item.added.minor
        for table in (FUNCTIONS, DATAS)
        for symbol, item in table.items()
    }


def _interpreter_symbols(wheel: WheelFacts) -> Iterator[tuple[str, list[str]]]:
    """Symbols of the interpreter that files cannot do without; for files that any Python loads."""
    own = frozenset(symbol.name for elf in wheel.elf_files.values() for symbol in elf.exports)
    for path, elf in sorted(wheel.elf_files.items()):
        used = sorted(
            symbol.name
            for symbol in elf.imports
            if symbol.binding is not Binding.WEAK
            and _CPYTHON_SYMBOL.fullmatch(symbol.name)
            and symbol.name not in own
        )
        if used and not _VERSIONED.search(path):
            yield path, used


@check(
    "abi3-symbols",
    exit_code=84,
    behaviours=(20,),
    hint="compile with `Py_LIMITED_API` set to the oldest Python of the tag: it hides the others",
)
def abi3_symbols(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Files of an abi3 wheel use what the stable ABI has in the oldest Python that it admits."""
    if _STABLE_ABIS & {*wheel.name.abi_tag.split(".")}:
        yield from _beyond_stable_abi(wheel)


@check(
    "python-tag",
    exit_code=85,
    behaviours=(22,),
    hint="tag the wheel for the one Python that it was built for, such as `cp312-cp312`, or use "
    "the stable ABI and tag it `cp310-abi3`",
)
def python_tag(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """A wheel for any Python uses no symbol of CPython; no module is for other Pythons alone."""
    if wheel.name.abi_tag.split(".") == ["none"]:
        general = [tag for tag in wheel.name.python_tag.split(".") if tag.startswith("py")]
        if general:
            for path, used in _interpreter_symbols(wheel):
                yield Problem(
                    path,
                    f"it uses {some(used)} of CPython; the tag `{general[-1]}-none` admits other "
                    "Pythons, too",
                )
        else:
            yield from _beyond_stable_abi(wheel)
    yield from _absent_modules(wheel)


def _beyond_stable_abi(wheel: WheelFacts) -> Iterator[Problem]:
    stable, oldest = _stable_abi(), _oldest_minor(wheel)
    for path, used in _interpreter_symbols(wheel):
        unstable = [name for name in used if name not in stable]
        if unstable:
            yield Problem(path, f"it uses {some(unstable)}, not in CPython's stable ABI")
        newer = [name for name in used if oldest is not None and stable.get(name, 0) > oldest]
        if newer:
            first = max(stable[name] for name in newer)
            yield Problem(
                path,
                f"it uses {some(newer)}, in the stable ABI since Python 3.{first}; the wheel "
                f"admits 3.{oldest}",
            )


def _absent_modules(wheel: WheelFacts) -> Iterator[Problem]:
    """Modules whose files some other Python than the tags' imports, and none that is promised."""
    promised = {*_tagged_minors(wheel)}
    stable = bool(_STABLE_ABIS & {*wheel.name.abi_tag.split(".")})
    threads = "t" if _FREE_THREADED.fullmatch(wheel.name.abi_tag) else ""
    for paths in _modules(wheel):
        matches = [_VERSIONED.search(path) for path in paths]
        there = {(int(match["minor"]), match["flags"]) for match in matches if match}
        # A file without a version serves every Python.
        if not all(matches) or (len(there) > 1 and (stable or None in promised)):
            continue
        if stable or None in promised:
            promise = "newer ones" if stable else "every Python 3"
        elif any((minor, threads) in there for minor in promised):
            continue
        else:
            promise = " and ".join(
                f"3.{minor}{threads}" for minor in sorted(filter(None, promised))
            )
        if promised:
            versions = ", ".join(f"3.{minor}{flags}" for minor, flags in sorted(there))
            yield Problem(
                paths[0],
                f"only CPython {versions} imports a module of this name; the tag promises "
                f"{promise}",
                hint="build the module for the tag's Python, or with the stable ABI and name it "
                "`.abi3.so`",
            )


def _modules(wheel: WheelFacts) -> Iterable[list[str]]:
    """The extension modules, the files of each name together."""
    modules: dict[PurePosixPath, list[str]] = defaultdict(list)
    for path, elf in sorted(wheel.elf_files.items()):
        # Others are opened by their path, whatever it is.
        if any(symbol.name.startswith(_ENTRY_POINTS) for symbol in elf.exports):
            place = PurePosixPath(path)
            modules[place.with_name(place.name.partition(".")[0])].append(path)
    return modules.values()


CHECKS = (abi3_symbols, python_tag)
