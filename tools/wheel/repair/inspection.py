# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a wheel into a report. No decisions, no side effects."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path

from ..archive.names import WheelName, expand_tags
from ..archive.reader import WheelReader, open_wheel
from .elf import ElfFile, read_elf

_ELF_MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class WheelReport:
    """What a wheel holds."""

    name: WheelName
    #: Hash of every file by path, RECORD and its signatures left out.
    hashes: dict[str, str]
    #: Its shared objects and executables, by path.
    elf_files: dict[str, ElfFile]
    #: Paths of the files that installers make executable.
    executables: frozenset[str]
    #: The tags in WHEEL, each spelled out, sorted.
    tags: tuple[str, ...]


def inspect_wheel(path: Path) -> WheelReport:
    """Read a wheel.

    Raises:
        WheelNameError: the file has no wheel name.
        BadArchiveError: it cannot be read as an archive, or lacks WHEEL or RECORD.
        MemberPathError: an entry would land outside the target folder, or occurs twice.
        RecordError: RECORD does not agree with the content.
        BadElfError: an ELF file inside is damaged.
    """
    with open_wheel(path) as wheel:
        hashes = wheel.check_record()
        elf_files = {}
        for member in wheel.paths:
            elf = _read_member(wheel, member)
            if elf is not None:
                elf_files[member] = elf
        text = wheel.read_text(f"{wheel.name.dist_info}/WHEEL")
        tags = HeaderParser().parsestr(text).get_all("Tag", [])
        return WheelReport(wheel.name, hashes, elf_files, wheel.executables, expand_tags(tags))


def _read_member(wheel: WheelReader, member: str) -> ElfFile | None:
    with wheel.open(member) as stream:
        if stream.read(len(_ELF_MAGIC)) != _ELF_MAGIC:
            return None
        # Seeking in a deflated entry decompresses from its start each time; a file does not.
        with tempfile.TemporaryFile() as copy:
            copy.write(_ELF_MAGIC)
            shutil.copyfileobj(stream, copy)
            return read_elf(copy, member)
