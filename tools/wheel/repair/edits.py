# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which ELF files a repair edits, and how: everything about one file, for one run of patchelf."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..archive.names import installed_path
from ..inspection.facts import WheelFacts
from .errors import GraftError
from .resolve import Dependency, Outcome
from .rpath import relative_entry
from .search_paths import AddedEntry, plan_search_paths

_CHUNK = 1 << 20
_HASH_DIGITS = 8


@dataclass(frozen=True)
class Edit:
    """What changes in one ELF file."""

    #: New soname; "" for no change.
    soname: str = ""
    #: Needed libraries and what they are called now.
    replaced: tuple[tuple[str, str], ...] = ()
    #: The whole search path afterwards, empty for none.
    search_path: tuple[str, ...] = ()
    #: Whether the search path goes into DT_RPATH; otherwise into DT_RUNPATH.
    rpath: bool = True
    #: Those entries of the search path that lead to other packages, and are new.
    added: tuple[AddedEntry, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """Arguments for patchelf."""
        arguments = ["--set-soname", self.soname] if self.soname else []
        for old, new in self.replaced:
            arguments += ["--replace-needed", old, new]
        if not self.search_path:
            return [*arguments, "--remove-rpath"]
        if self.rpath:
            arguments.append("--force-rpath")
        return [*arguments, "--set-rpath", ":".join(self.search_path)]


@dataclass(frozen=True)
class Graft:
    """A library that is copied into the wheel."""

    source: Path
    edit: Edit


@dataclass(frozen=True)
class Edits:
    """Every ELF file that patchelf edits, by its path in the repaired wheel."""

    #: Files of the wheel that need a copied library, or lack the way to an excluded one.
    own: dict[str, Edit]
    grafts: dict[str, Graft]

    def as_json(self) -> list[dict[str, object]]:
        """For printing, sorted by path."""
        edits = {**self.own, **{path: graft.edit for path, graft in self.grafts.items()}}
        return [
            {
                "path": path,
                "soname": edit.soname or None,
                "replaced": dict(edit.replaced),
                "rpath" if edit.rpath else "runpath": list(edit.search_path),
                "added": [item.as_json() for item in edit.added],
            }
            for path, edit in sorted(edits.items())
        ]


def plan_edits(
    wheel: WheelFacts, dependencies: Iterable[Dependency], *, search_paths: bool = True
) -> Edits:
    """Work out the edits that libraries to copy and excluded ones make necessary.

    A copied library is renamed after its content, so that two wheels can bring two builds of it
    into one process. Each file that needs it gets the new name and the way to it, and the way to
    excluded libraries where it has none; search paths of before stay, in front.

    Args:
        wheel: the wheel.
        dependencies: how each need is met.
        search_paths: whether to add the way to excluded libraries.

    Raises:
        GraftError: a file that needs a library to copy is not installed beside the packages.
    """
    dependencies = tuple(dependencies)
    added = plan_search_paths(wheel, dependencies) if search_paths else {}
    grafted = {item.library: item for item in dependencies if item.outcome is Outcome.GRAFTED}
    names = {library: _new_name(library, item.source) for library, item in grafted.items()}
    needs: dict[str, list[tuple[str, str]]] = {}
    for library, item in sorted(grafted.items()):
        for path in item.needed_by:
            needs.setdefault(path, []).append((library, names[library]))
    # One kind of search path throughout: DT_RUNPATH where the wheel has that and no DT_RPATH.
    files = wheel.elf_files.values()
    rpath = any(elf.rpath for elf in files) or not any(elf.runpath for elf in files)

    own = {}
    for path, elf in sorted(wheel.elf_files.items()):
        replaced = tuple(needs.get(path, ()))
        way = (_way_to_libs(wheel, path, replaced[0][0]),) if replaced else ()
        new = added.get(path, ())
        if replaced or new:
            search_path = _joined((*elf.search_path, *way), new)
            own[path] = Edit("", replaced, search_path, rpath, new)
    grafts = {}
    for library, item in sorted(grafted.items()):
        place = f"{wheel.name.libs}/{library}"
        replaced, new = tuple(needs.get(place, ())), added.get(place, ())
        search_path = _joined(("$ORIGIN",) if replaced else (), new)
        edit = Edit(names[library], replaced, search_path, rpath, new)
        grafts[f"{wheel.name.libs}/{names[library]}"] = Graft(Path(item.source), edit)
    return Edits(own, grafts)


def _joined(entries: Iterable[str], added: Iterable[AddedEntry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*entries, *(item.entry for item in added))))


def _new_name(library: str, source: str) -> str:
    digest = hashlib.sha256()
    with Path(source).open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    stem, dot, rest = library.partition(".")
    return f"{stem}-{digest.hexdigest()[:_HASH_DIGITS]}{dot}{rest}"


def _way_to_libs(wheel: WheelFacts, path: str, library: str) -> str:
    place = installed_path(path)
    if place is None:
        raise GraftError(
            f"`{path}` needs `{library}`, and is not installed beside the packages, where the copy "
            "will lie",
            hint="put the executable into a package and start it from a console script",
        )
    return relative_entry(place, PurePosixPath(wheel.name.libs))
