# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How ELF files are laid out: stack, segments, symbol versions, copies, debug information."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from ...elf.architecture import largest_page
from ...elf.elf_file import EXECUTABLE, ElfFile, Segment
from ...elf.graph import ElfGraph
from ...inspection.facts import WheelFacts
from ...providers.families import original_name
from ..check import Problem, Severity, check
from ..settings import Settings
from .wording import amount, chain_to, some

#: Where the loader takes a file without PT_GNU_STACK for one that wants an executable stack.
_EXECUTABLE_BY_DEFAULT = ("x86_64", "i686", "armv7l", "s390x")

#: Libraries that are in a process because some other library of the system needs them.
_SYSTEM = re.compile(r"ld-linux.*|ld64\..*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+")


@check(
    "elf-executable-stack",
    exit_code=70,
    behaviours=(12,),
    hint="link with `-z noexecstack`; in assembly sources add a `.note.GNU-stack` section",
)
def executable_stack(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No file asks for an executable stack, which hardened systems refuse to load."""
    for path, elf in sorted(wheel.elf_files.items()):
        stacks = [segment for segment in elf.segments if segment.kind == "GNU_STACK"]
        if any(segment.flags & EXECUTABLE for segment in stacks):
            yield Problem(path, "its PT_GNU_STACK segment is executable")
        elif elf.needed and not stacks and elf.architecture in _EXECUTABLE_BY_DEFAULT:
            yield Problem(
                path,
                f"it has no PT_GNU_STACK segment, which stands for an executable stack on "
                f"{elf.architecture}",
            )


@check(
    "elf-version-needs",
    exit_code=75,
    behaviours=(11,),
    hint="patch NEEDED entries and version needs together: patchelf 0.14.5 or newer does",
)
def version_needs(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every library that symbol versions are asked of is loaded, and has them if it is inside."""
    graph = ElfGraph(wheel.elf_files)
    for path, elf in sorted(wheel.elf_files.items()):
        loaded = _loaded(wheel, graph, elf)
        for library, versions in elf.versions:
            if library not in loaded and not _SYSTEM.fullmatch(library):
                yield Problem(
                    path,
                    f"it asks `{library}` for {some(versions)}, which no NEEDED entry loads: the "
                    "loader stops with an assertion",
                )
            inside = wheel.elf_files.get(graph.find(library))
            if inside is None or not inside.defined_versions:
                continue
            missing = sorted(set(versions) - set(inside.defined_versions))
            if missing:
                yield Problem(
                    path,
                    f"it asks `{library}` for {some(missing)}, which `{inside.path}` does not "
                    "offer",
                    chain=(*graph.chain(path), inside.path),
                    hint="ship the library that the file was linked with, or a newer one",
                )


def _loaded(wheel: WheelFacts, graph: ElfGraph, elf: ElfFile) -> set[str]:
    """Names of the libraries that loading a file loads, as far as the wheel tells."""
    loaded = {elf.soname}
    queue = [elf]
    while queue:
        for library in queue.pop().needed:
            if library not in loaded and not _SYSTEM.fullmatch(library):
                inside = wheel.elf_files.get(graph.find(library))
                loaded |= {library, inside.soname} if inside else {library}
                queue += [inside] if inside else []
    return loaded


@check(
    "elf-segments",
    exit_code=76,
    behaviours=(13,),
    hint="link with `-z max-page-size=65536` on aarch64; after edits use patchelf 0.18.0 or newer, "
    "and strip before, not after",
)
def segments(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Loaded segments are aligned to every page size of the platform, in order and in the file."""
    for path, elf in sorted(wheel.elf_files.items()):
        loads = [segment for segment in elf.segments if segment.kind == "LOAD"]
        what = next(_segment_faults(elf, loads), None)
        if what:
            yield Problem(path, what)


def _segment_faults(elf: ElfFile, loads: list[Segment]) -> Iterator[str]:
    page = largest_page(elf.architecture)
    for segment in loads:
        where = f"its segment at address {segment.address:#x}"
        alignment = segment.alignment
        if alignment & (alignment - 1):
            yield f"{where} has alignment {alignment:#x}, which is no power of two"
        elif alignment < page:
            yield (
                f"{where} has alignment {alignment:#x}; the kernel of an {elf.architecture} "
                f"machine may have pages of {page:#x}"
            )
        elif (segment.offset - segment.address) % alignment:
            yield (
                f"{where} is at offset {segment.offset:#x}: the two differ within a page of "
                f"{alignment:#x}"
            )
        if segment.file_size > segment.memory_size:
            yield f"{where} has more bytes in the file than in memory"
        if elf.size and segment.offset + segment.file_size > elf.size:
            yield f"{where} ends after the file, at {segment.offset + segment.file_size:#x}"
    for before, after in pairwise(loads):
        if before.address + before.memory_size > after.address:
            yield (
                f"its segments at addresses {before.address:#x} and {after.address:#x} overlap or "
                "are out of order"
            )


@check(
    "elf-sections",
    exit_code=77,
    behaviours=(13,),
    severity=Severity.WARNING,
    hint="edit the file once, with patchelf 0.18.0 or newer; strip before, not after",
)
def sections(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Section headers agree with the segments, so that debuggers and `strip` can do their work."""
    for path, elf in sorted(wheel.elf_files.items()):
        loads = [segment for segment in elf.segments if segment.kind == "LOAD"]
        for section in elf.sections:
            # What is all zeros has no bytes in the file.
            if not section.loaded or not section.size or section.kind == "NOBITS":
                continue
            if not any(
                0 <= section.address - segment.address <= segment.file_size - section.size
                and section.offset - segment.offset == section.address - segment.address
                for segment in loads
            ):
                yield Problem(
                    path,
                    f"section `{section.name}` is said to be at offset {section.offset:#x}, which "
                    f"no segment loads to its address {section.address:#x}",
                )
                break


@check(
    "elf-copies",
    exit_code=78,
    behaviours=(16,),
    severity=Severity.WARNING,
    hint="ship the file once, under its soname; a zip archive has no links, so each name of a "
    "library becomes a file, and a process may load two of them",
)
def copies(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No library is inside twice, under two names, in two folders or in two builds."""
    same: dict[str, list[str]] = defaultdict(list)
    builds: dict[str, list[str]] = defaultdict(list)
    for path, elf in sorted(wheel.elf_files.items()):
        if path in wheel.hashes and not elf.executable:
            same[wheel.hashes[path]].append(path)
    for path in (paths[0] for paths in same.values()):
        name = original_name(path)
        if name != PurePosixPath(path).name:
            builds[name].append(path)
    sizes = {entry.path: entry.size for entry in wheel.entries}
    for paths in sorted(paths for paths in same.values() if len(paths) > 1):
        soname = wheel.elf_files[paths[0]].soname
        kept = next((path for path in paths if PurePosixPath(path).name == soname), paths[0])
        others = [path for path in paths if path != kept]
        size = amount(sum(sizes.get(path, 0) for path in others))
        yield Problem(kept, f"it is inside again as {some(others)}, {size} more to install")
    for name, paths in sorted(builds.items()):
        if paths[1:]:
            yield Problem(
                paths[0],
                f"it was `{name}`, and so was {some(paths[1:])}, of another build: a process may "
                "load both",
                chain_to(wheel, paths[0]),
                hint="copy it from one place: link all files with the same build of the library",
            )


@check(
    "elf-debug-info",
    exit_code=79,
    behaviours=(17,),
    severity=Severity.NOTE,
    hint="keep it apart (`objcopy --only-keep-debug`), ship what `strip --strip-unneeded` leaves",
)
def debug_info(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No file has debug information, which makes wheels large and names sources of the builder."""
    sizes = {
        path: sum(
            section.size
            for section in elf.sections
            if section.name.startswith((".debug_", ".zdebug_")) and section.kind != "NOBITS"
        )
        for path, elf in sorted(wheel.elf_files.items())
    }
    largest = sorted(filter(sizes.__getitem__, sizes), key=lambda path: -sizes[path])
    if largest:
        anonymous = [path for path in largest if not wheel.elf_files[path].build_id]
        missing = f"; no build id is in {some(anonymous)}" if anonymous else ""
        yield Problem(
            "",
            f"{amount(sum(sizes.values()))} of debug information is in {some(largest)}{missing}",
        )


@check(
    "elf-build-path",
    exit_code=83,
    behaviours=(17,),
    severity=Severity.NOTE,
    hint="compile with `-ffile-prefix-map=$PWD=.`, and let no `__FILE__` into messages",
)
def build_path(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No file holds paths of the machine that built it."""
    for path, found in sorted(wheel.build_paths.items()):
        if path in wheel.elf_files and found:
            yield Problem(path, f"it holds {some(found)}")


CHECKS = (
    executable_stack,
    version_needs,
    segments,
    sections,
    copies,
    debug_info,
    build_path,
)
