# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What repair needs to know of an ELF file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

from .errors import BadElfError

#: Architecture suffix of platform tags by ELF machine, class and byte order.
ARCHITECTURES = {
    ("EM_X86_64", 64, True): "x86_64",
    ("EM_AARCH64", 64, True): "aarch64",
    ("EM_386", 32, True): "i686",
    ("EM_PPC64", 64, True): "ppc64le",
    ("EM_RISCV", 64, True): "riscv64",
    ("EM_S390", 64, False): "s390x",
}


@dataclass(frozen=True)
class ElfFile:
    """The dynamic section of one shared object or executable."""

    #: Path in the wheel.
    path: str
    #: Architecture as platform tags spell it; the ELF machine name where no tag knows it.
    architecture: str
    soname: str
    needed: tuple[str, ...]
    #: Entries of DT_RPATH and DT_RUNPATH, split at colons, as written.
    rpath: tuple[str, ...]
    runpath: tuple[str, ...]
    #: For every library the symbol versions asked of it: (("libc.so.6", ("GLIBC_2.17",)),).
    versions: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def search_path(self) -> tuple[str, ...]:
        """The entries that the dynamic loader uses: DT_RUNPATH hides DT_RPATH."""
        return self.runpath or self.rpath


def read_elf(stream: IO[bytes], path: str) -> ElfFile | None:
    """Read one ELF file.

    Args:
        stream: the file, seekable.
        path: what to call it.

    Returns:
        None for a file that is never loaded: an object file or a core dump.

    Raises:
        BadElfError: the file is damaged.
    """
    try:
        elf = ELFFile(stream)
        if elf.header["e_type"] not in ("ET_DYN", "ET_EXEC"):
            return None
        return _read(elf, path)
    except (ELFError, ValueError, KeyError, AttributeError, UnicodeDecodeError) as error:
        raise BadElfError(
            f"`{path}` is no readable ELF file: {error}", hint="build the file again"
        ) from error


def _read(elf: ELFFile, path: str) -> ElfFile:
    machine = str(elf.header["e_machine"])
    tags: dict[str, list[str]] = {
        "DT_NEEDED": [],
        "DT_RPATH": [],
        "DT_RUNPATH": [],
        "DT_SONAME": [],
    }
    for segment in elf.iter_segments():
        if isinstance(segment, DynamicSegment):
            for tag in segment.iter_tags():
                values = tags.get(tag.entry.d_tag)
                if values is not None:
                    attribute = tag.entry.d_tag.removeprefix("DT_").lower()
                    values.append(str(getattr(tag, attribute)))
            break
    return ElfFile(
        path=path,
        architecture=ARCHITECTURES.get((machine, elf.elfclass, elf.little_endian), machine),
        soname=next(iter(tags["DT_SONAME"]), ""),
        needed=tuple(tags["DT_NEEDED"]),
        rpath=_entries(tags["DT_RPATH"]),
        runpath=_entries(tags["DT_RUNPATH"]),
        versions=_needed_versions(elf),
    )


def _entries(values: list[str]) -> tuple[str, ...]:
    return tuple(entry for value in values for entry in value.split(":"))


def _needed_versions(elf: ELFFile) -> tuple[tuple[str, tuple[str, ...]], ...]:
    section = elf.get_section_by_name(".gnu.version_r")
    if not isinstance(section, GNUVerNeedSection):
        return ()
    versions: dict[str, set[str]] = {}
    for library, auxiliaries in section.iter_versions():
        versions.setdefault(str(library.name), set()).update(str(aux.name) for aux in auxiliaries)
    return tuple((library, tuple(sorted(names))) for library, names in sorted(versions.items()))
