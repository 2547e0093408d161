# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a wheel holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from packaging.requirements import Requirement

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
    #: Paths of the other wheels read in the same run, which may be installed beside it, by file name.
    beside: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def paths(self) -> frozenset[str]:
        """Path of every file."""
        return frozenset(entry.path for entry in self.entries)
