# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where ELF files have their libraries searched, whether or not repair has touched them."""

from __future__ import annotations

from collections.abc import Iterator

from packaging.utils import canonicalize_name

from ...archive.names import installed_path
from ...elf.elf_file import ElfFile
from ...elf.search_path import WheelFolders, is_relative, is_stub, search_folder
from ...inspection.facts import WheelFacts
from ...providers.table import default_table
from ..check import Problem, Severity, check
from ..settings import Settings
from .wording import some

#: Where systems and toolkits are installed. Whatever else is absolute was there to build in.
_SYSTEM = ("/usr/", "/lib", "/opt/")


def _search_paths(wheel: WheelFacts) -> Iterator[tuple[ElfFile, str, tuple[str, ...]]]:
    """The search paths of every file, each with the tag that it stands under, entries once."""
    for _, elf in sorted(wheel.elf_files.items()):
        for tag, entries in (("DT_RPATH", elf.rpath), ("DT_RUNPATH", elf.runpath)):
            if entries:
                yield elf, tag, tuple(dict.fromkeys(entries))


@check(
    "elf-rpath-unsafe",
    exit_code=71,
    behaviours=(9,),
    hint="link with an RPATH whose entries all start with `$ORIGIN`, or with none; `patchelf "
    "--print-rpath` shows it",
)
def rpath_unsafe(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No search path takes libraries from the current folder, or stubs for the driver."""
    for elf, tag, entries in _search_paths(wheel):
        for entry in entries:
            if not entry:
                what = f"{tag} has an empty entry: libraries are taken from the current folder"
            elif not entry.startswith("/") and not is_relative(entry):
                what = f"{tag} entry `{entry}` is relative to the current folder"
            elif is_stub(entry):
                what = (
                    f"{tag} entry `{entry}` has libraries without code, for linking alone: CUDA "
                    "calls fail with CUDA_ERROR_STUB_LIBRARY"
                )
            else:
                continue
            yield Problem(elf.path, what)


@check(
    "elf-rpath-absolute",
    exit_code=72,
    behaviours=(9,),
    hint="link with an RPATH whose entries all start with `$ORIGIN`, or with none",
)
def rpath_absolute(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """No search path names a folder of one machine, where others have nothing or something else."""
    for elf, tag, entries in _search_paths(wheel):
        absolute = [entry for entry in entries if entry.startswith("/") and not is_stub(entry)]
        system = [entry for entry in absolute if entry.startswith(_SYSTEM)]
        building = [entry for entry in absolute if entry not in system]
        if building:
            yield Problem(elf.path, f"{tag} leads to the build machine: {some(building)}")
        if system:
            yield Problem(
                elf.path,
                f"{tag} leads to {some(system)}: a library there is taken whatever its version",
            )


@check(
    "elf-rpath-dangling",
    exit_code=73,
    behaviours=(8, 9),
    hint="count from the file's own folder: each `..` is one level, and site-packages is the last",
)
def rpath_dangling(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """Every relative search path leads to a folder of the wheel, or of a required package."""
    folders = WheelFolders.of(wheel.paths, wheel.name.libs)
    tops = folders.tops | default_table().tops
    for elf, tag, entries in _search_paths(wheel):
        place = installed_path(elf.path)
        if place is None:
            continue
        resolved = {entry: search_folder(place, entry) for entry in entries if is_relative(entry)}
        outside = [entry for entry, folder in resolved.items() if folder is None]
        if outside:
            yield Problem(
                elf.path,
                f"{tag} leaves site-packages: {some(outside)}, from `{place.parent}`",
            )
        inside = [folder for folder in resolved.values() if folder and folder.parts]
        absent = [str(folder) for folder in inside if folders.lacks(folder)]
        if absent:
            yield Problem(
                elf.path,
                f"{tag} leads to {some(absent)}, which the wheel does not have",
                hint="link without the entry, or ship the folder",
            )
        strange = [
            str(folder)
            for folder in inside
            if folder.parts[0] not in tops
            and not folders.lacks(folder)
            and not _is_required(wheel, folder.parts[0])
        ]
        if strange:
            yield Problem(
                elf.path,
                f"{tag} leads to {some(strange)} in site-packages, which neither the wheel nor a "
                "package that it requires installs",
                hint="link without the entry, or require the package that installs the folder",
            )


def _is_required(wheel: WheelFacts, folder: str) -> bool:
    """Whether a requirement may be what installs a folder, going by names.

    One has the words of the other: `cuquantum` of `cuquantum-python-cu12`, `numpy.libs` of `numpy`.
    """
    words = f"-{canonicalize_name(folder).strip('-')}-"
    names = (f"-{canonicalize_name(item.name)}-" for item in wheel.metadata.requires_dist)
    return any(name in words or words in name for name in names)


@check(
    "elf-rpath-mixed",
    exit_code=74,
    behaviours=(10,),
    severity=Severity.WARNING,
    hint="link every file with `--disable-new-dtags` for DT_RPATH or with `--enable-new-dtags` for "
    "DT_RUNPATH",
)
def rpath_mixed(wheel: WheelFacts, settings: Settings) -> Iterator[Problem]:
    """All files use DT_RPATH, which comes before LD_LIBRARY_PATH, or all use DT_RUNPATH."""
    old = [path for path, elf in sorted(wheel.elf_files.items()) if elf.rpath and not elf.runpath]
    new = [path for path, elf in sorted(wheel.elf_files.items()) if elf.runpath]
    for path in new:
        if wheel.elf_files[path].rpath:
            yield Problem(path, "it has DT_RPATH and DT_RUNPATH; the loader ignores DT_RPATH")
    if old and new:
        yield Problem(
            "",
            f"{some(old, most=1)} has DT_RPATH, {some(new, most=1)} DT_RUNPATH: the user's "
            "LD_LIBRARY_PATH changes where some of the wheel's libraries come from",
        )


CHECKS = (rpath_unsafe, rpath_absolute, rpath_dangling, rpath_mixed)
