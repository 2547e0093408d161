# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a wheel holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from packaging.requirements import Requirement

from ..archive.directory import ArchiveProblem
from ..archive.entry import Entry
from ..archive.names import WheelName
from ..elf.elf_file import ElfFile
from ..fatbin.image import DeviceCode


@dataclass(frozen=True)
class RecordProblem:
    """One disagreement between RECORD and the archive."""

    path: str
    what: str


@dataclass(frozen=True)
class Metadata:
    """What METADATA and WHEEL say, as far as it is well formed."""

    name: str
    version: str
    requires_dist: tuple[Requirement, ...]
    extras: tuple[str, ...]
    requires_python: str
    #: The tags in WHEEL, each spelled out, sorted.
    tags: tuple[str, ...]
    root_is_purelib: bool
    generator: str
    metadata_version: str = ""
    wheel_version: str = "1.0"
    #: Values of License-File: paths below `.dist-info/licenses` from metadata version 2.4 on.
    license_files: tuple[str, ...] = ()
    #: What could not be parsed, for people.
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class WheelFacts:
    """What a wheel holds."""

    name: WheelName
    #: Bytes of the archive.
    size: int
    entries: tuple[Entry, ...]
    #: Hash of every file by path in RECORD's notation, RECORD and its signatures left out.
    hashes: Mapping[str, str]
    record_problems: tuple[RecordProblem, ...]
    metadata: Metadata
    #: Its shared objects and executables, by path.
    elf_files: Mapping[str, ElfFile]
    #: GPU code in them, by path; files without any are left out.
    device_code: Mapping[str, DeviceCode] = field(default_factory=dict)
    #: Paths of a build machine found in files, by file.
    build_paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Text of small files under .dist-info, by path: licences, SBOMs, top_level.txt.
    texts: Mapping[str, str] = field(default_factory=dict)
    #: Paths in the other wheels of the run, by file name: they may be installed beside it.
    beside: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: Where the archive is not as package indexes want it.
    archive_problems: tuple[ArchiveProblem, ...] = ()
    #: Name of the `.dist-info` folder inside, which may not be what the file name asks for.
    dist_info: str = ""

    @cached_property
    def paths(self) -> frozenset[str]:
        """Path of every file."""
        return frozenset(entry.path for entry in self.entries)

    @cached_property
    def executables(self) -> frozenset[str]:
        """Path of every file that installers make executable."""
        return frozenset(entry.path for entry in self.entries if entry.executable)
