# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which ELF files a repair edits, and how: everything about one file, for one edit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..archive.errors import MemberPathError
from ..archive.names import installed_path
from ..elf.edit import ElfEdit
from ..elf.search_path import WheelFolders
from ..inspection.facts import WheelFacts
from .errors import GraftError
from .resolve import Dependency, Outcome
from .rpath import check_rpath, dead_entries, relative_entry
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

    #: Entries of the file that lead nowhere, and go.
    dropped: tuple[str, ...] = ()

    @property
    def changes(self) -> ElfEdit:
        """The edit of the file."""
        return ElfEdit(self.soname, dict(self.replaced), self.search_path, self.rpath)


@dataclass(frozen=True)
class Graft:
    """A library that is copied into the wheel."""

    source: Path
    edit: Edit


@dataclass(frozen=True)
class Edits:
    """Every ELF file that is edited, by its path in the repaired wheel."""

    #: Files of the wheel that need a copied library, lack the way to an excluded one, or have
    #: search path entries that lead nowhere.
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
                "dropped": list(edit.dropped),
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
        search_paths: whether to add the way to excluded libraries, and to drop what leads nowhere.

    Raises:
        RpathError: a search path means something else on another machine.
        GraftError: a file that needs a library to copy is not installed beside the packages.
        MemberPathError: the wheel has a file where a library would be copied to.
    """
    dependencies = tuple(dependencies)
    added = plan_search_paths(wheel, dependencies) if search_paths else {}
    grafted = {item.library: item for item in dependencies if item.outcome is Outcome.GRAFTED}
    names = {library: _new_name(library, item.source) for library, item in grafted.items()}
    needs: dict[str, list[tuple[str, str]]] = {}
    for library, item in sorted(grafted.items()):
        for path in item.needed_by:
            needs.setdefault(path, []).append((library, names[library]))
    copies = [f"{wheel.name.libs}/{name}" for name in names.values()]
    folders = WheelFolders.of([*wheel.paths, *copies], wheel.name.libs)
    # One kind of search path throughout: DT_RUNPATH where the wheel has that and no DT_RPATH.
    files = wheel.elf_files.values()
    rpath = any(elf.rpath for elf in files) or not any(elf.runpath for elf in files)

    own = {}
    for path, elf in sorted(wheel.elf_files.items()):
        replaced = tuple(needs.get(path, ()))
        way = (_way_to_libs(wheel, path, replaced[0][0]),) if replaced else ()
        new = added.get(path, ())
        dropped = dead_entries(elf, folders) if search_paths else ()
        check_rpath(elf, dropped)
        if replaced or new or dropped:
            kept = (entry for entry in elf.search_path if entry not in dropped)
            own[path] = Edit("", replaced, _joined((*kept, *way), new), rpath, new, dropped)
    grafts = {}
    for library, item in sorted(grafted.items()):
        place = f"{wheel.name.libs}/{library}"
        replaced, new = tuple(needs.get(place, ())), added.get(place, ())
        search_path = _joined(("$ORIGIN",) if replaced else (), new)
        edit = Edit(names[library], replaced, search_path, rpath, new)
        path = f"{wheel.name.libs}/{names[library]}"
        if path in wheel.paths:
            raise MemberPathError(
                f"`{item.source}` would be copied to `{path}`, which is in the wheel already",
                hint="build the wheel without it, or let every file that needs the library need it "
                "by that name",
            )
        grafts[path] = Graft(Path(item.source), edit)
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
