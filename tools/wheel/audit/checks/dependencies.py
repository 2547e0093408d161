# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the libraries that a wheel needs come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import TypeVar

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ...inspection.facts import WheelFacts
from ...providers.families import DRIVER, FAMILIES, Family, is_opened_by_name, original_name
from ...providers.site_packages import Layout
from ...providers.table import default_table
from ..check import Problem, Severity, check
from ..needs import Means, Need, needs
from ..settings import Settings
from .wording import chain_to, some

_Key = TypeVar("_Key")

_DECLARE = "require the package that ships the library, or name it in `external`"
_LEAD = "add the library's folder to the file's search path, relative to `$ORIGIN`"


@check("library-undeclared", exit_code=90, behaviours=(2, 4, 5, 6, 18), hint=_DECLARE)
def undeclared(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every library that an imported file needs is in the wheel, on the platform, or required."""
    missing = [need for need in needs(wheel, settings) if need.means is Means.MISSING]
    yield from _undeclared(wheel, [need for need in missing if need.imported or not need.path])


@check(
    "library-undeclared-optional",
    exit_code=91,
    behaviours=(2, 4, 5, 6),
    hint=_DECLARE,
    severity=Severity.WARNING,
)
def undeclared_optional(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The same holds for files that no import loads, which code of the package may open."""
    missing = [need for need in needs(wheel, settings) if need.means is Means.MISSING]
    yield from _undeclared(wheel, [need for need in missing if need.path and not need.imported])


def _undeclared(wheel: WheelFacts, missing: Iterable[Need]) -> Iterator[Problem]:
    """One problem for each package that would have to be required."""
    table = default_table()
    required = table.required(wheel.metadata.requires_dist)

    def explain(need: Need) -> tuple[str, str, str]:
        if "/" in need.library and need.path:
            hint = (
                "link the library with a soname, "
                f"`-Wl,-soname,{PurePosixPath(need.library).name}`, then the file with the library"
            )
            return ", a path, which the loader looks for in no search path", hint, need.library
        providers = [package.name for package in table.providers(need.library)]
        for name in (name for name in providers if name in required):
            what = f"; installers take a version that `{required[name]}` lets in and that lacks it"
            return what, f"narrow the requirement on `{name}`", ""
        if not providers:
            return ", which no package known ships", "", need.library
        names = " or ".join(f"`{name}`" for name in providers)
        hint = f"require {names}, or name the library in `external`"
        return f" of {names}, which the wheel does not require", hint, ""

    for (what, hint, _), group in _grouped(missing, explain):
        first = group[0]
        other = "".join(_other_version(first.library, required))
        yield Problem(first.path, f"needs {_libraries(group)}{what}{other}", first.chain, hint)


def _other_version(library: str, required: Mapping[str, Requirement]) -> Iterator[str]:
    """The version of a library that the requirements bring instead, if they do."""
    for name, requirement in required.items():
        content = default_table().packages[name].chosen(requirement.specifier)
        for other in (*content.libraries, *content.needs) if content else ():
            if other.partition(".so")[0] == library.partition(".so")[0]:
                yield f"; `{requirement}` brings `{other}`"
                return


@check(
    "library-unreachable",
    exit_code=92,
    behaviours=(5,),
    hint=_LEAD,
)
def unreachable(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Search paths of imported files lead to their libraries, unless an import has loaded these."""
    yield from _unreachable(need for need in needs(wheel, settings) if need.imported)


@check(
    "library-unreachable-optional",
    exit_code=113,
    behaviours=(5,),
    hint=f"{_LEAD}, or open the library before the file",
    severity=Severity.WARNING,
)
def unreachable_optional(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Search paths of files that code of the package may open lead to their libraries, too."""
    yield from _unreachable(need for need in needs(wheel, settings) if not need.imported)


def _unreachable(items: Iterable[Need]) -> Iterator[Problem]:
    """One problem for each file or package that is not found."""
    lost = [
        need
        for need in items
        if need.means in (Means.BUNDLED, Means.REQUIRED)
        and need.path
        and not need.loaded
        and Layout.ONE_FOLDER not in need.layouts
    ]
    for provider, group in _grouped(lost, lambda need: need.provider):
        what = f"no search path of it leads to {_libraries(group)} of `{provider}`"
        yield Problem(group[0].path, what, group[0].chain)


@check(
    "library-one-layout",
    exit_code=93,
    behaviours=(5,),
    hint="leave it so for pip and uv; for the others, let Python code open the library before the "
    "file is imported",
    severity=Severity.NOTE,
)
def one_layout(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Search paths lead to libraries of other packages wherever installers put these."""
    found = [
        need
        for need in needs(wheel, settings)
        if need.means is Means.REQUIRED
        and need.layouts
        and need.layouts != frozenset(Layout)
        and not need.loaded
    ]
    for layouts, group in _grouped(found, lambda need: need.layouts):
        missed = " or where ".join(layout.value for layout in Layout if layout not in layouts)
        libraries = some(sorted({need.library for need in group}))
        what = (
            f"its search path leads to {libraries} where {Layout.ONE_FOLDER.value}, but not where "
            f"{missed}"
        )
        yield Problem(group[0].path, what, group[0].chain)


def _grouped(
    items: Iterable[Need], key: Callable[[Need], _Key]
) -> Iterator[tuple[_Key, list[Need]]]:
    """Needs with the same explanation, as one finding."""
    groups: dict[_Key, list[Need]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    yield from groups.items()


def _libraries(group: Iterable[Need]) -> str:
    """The libraries of a group; then how many files need them beside the first."""
    names = _all(need.library for need in group)
    others = len({need.path for need in group}) - 1
    return f"{names} (as {others} more file{'s' if others > 1 else ''})" if others else names


def _all(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted({*names}))


@check(
    "library-bundled",
    exit_code=94,
    behaviours=(1, 2),
    hint="leave the library out and require the package that provides it",
    severity=Severity.WARNING,
)
def bundled(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The wheel carries no library that another package provides."""
    if canonicalize_name(wheel.name.distribution) in default_table().packages:
        return
    forbidden = {path for path, _ in _forbidden_copies(wheel, settings)}
    found: dict[tuple[str, PurePosixPath], dict[str, str]] = {}
    for path, names in _names(wheel):
        family = _family(names)
        if family and path not in forbidden:
            own = min(name for name in names if family.matches(name))
            group = found.setdefault((family.provider, PurePosixPath(path).parent), {})
            group.setdefault(own, path)
    for (provider, _), group in found.items():
        path = min(group.values())
        what = f"carries {_all(group)}, which {provider} provides"
        yield Problem(path, what, chain_to(wheel, path))


@check(
    "library-grafted",
    exit_code=95,
    behaviours=(1, 6),
    hint="exclude the library from the repair, or name it in `allow-grafted`",
)
def grafted(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every library copied into the wheel is one that `allow-grafted` names."""
    for path, name in _forbidden_copies(wheel, settings):
        family = _family({name})
        provided, hint = "", ""
        if family:
            provided = f", which {family.provider} provides"
            hint = (
                f"exclude it from the repair, `--exclude-family {family.name}`, and require the "
                "package that ships it"
            )
        what = f"is a copy of `{name}`{provided}; nothing allows it"
        yield Problem(path, what, chain_to(wheel, path), hint)


def _forbidden_copies(wheel: WheelFacts, settings: Settings) -> Iterator[tuple[str, str]]:
    """Path and original name of each copied library that nothing allows; not the driver's."""
    for path in sorted(wheel.elf_files):
        name = original_name(path)
        copied = path.startswith(f"{wheel.name.libs}/") or name != PurePosixPath(path).name
        allowed = any(fnmatchcase(name, pattern) for pattern in settings.allow_grafted)
        if copied and not allowed and not DRIVER.matches(name):
            yield path, name


def _family(names: Iterable[str]) -> Family | None:
    """The family of a library by any of its names; the driver's libraries have none."""
    names = set(names)
    if any(map(DRIVER.matches, names)):
        return None
    return next((item for item in FAMILIES.values() if any(map(item.matches, names))), None)


@check(
    "driver-library",
    exit_code=96,
    behaviours=(3,),
    hint="link with the stub that has a soname, `libcuda.so.1`, and leave the file to the driver",
)
def driver(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """The driver's libraries are left to it, and needed by the name that it installs: `.so.1`."""
    for path, names in _names(wheel):
        found = sorted(original_name(name) for name in names if DRIVER.matches(name))
        if found and "stubs" not in PurePosixPath(path).parts:
            yield Problem(
                path,
                f"is the driver's `{found[0]}`",
                chain_to(wheel, path),
                hint="leave the file out: each machine with a GPU has that of its driver",
            )
    for need in needs(wheel, settings):
        if need.means is Means.DRIVER and need.library.endswith(".so"):
            yield Problem(
                need.path,
                f"needs `{need.library}`, a name that drivers do not install",
                need.chain,
            )


@check(
    "library-renamed",
    exit_code=97,
    behaviours=(15,),
    hint="leave the library out, or copy it under its own name",
)
def renamed(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No library that is looked for by its file name was renamed when it was copied."""
    for path in sorted(wheel.elf_files):
        name = original_name(path)
        if name == PurePosixPath(path).name:
            continue
        if is_opened_by_name(name) or name in settings.runtime_libraries:
            what = f"was `{name}`, which is opened by that name at run time"
            yield Problem(path, what, chain_to(wheel, path))


def _names(wheel: WheelFacts) -> Iterator[tuple[str, set[str]]]:
    """Every name of every ELF file, those before a copy's renaming included."""
    for path, elf in sorted(wheel.elf_files.items()):
        names = {PurePosixPath(path).name, original_name(path)}
        if elf.soname:
            names |= {elf.soname, original_name(elf.soname)}
        yield path, names


CHECKS = (
    undeclared,
    undeclared_optional,
    unreachable,
    unreachable_optional,
    one_layout,
    bundled,
    grafted,
    driver,
    renamed,
)
