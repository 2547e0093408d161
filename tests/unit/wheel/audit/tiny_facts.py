# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Facts of wheels that exist nowhere, for tests of single checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tools.wheel.archive.entry import Entry
from tools.wheel.archive.names import parse_wheel_name
from tools.wheel.elf.elf_file import ElfFile
from tools.wheel.inspection.facts import Metadata, WheelFacts

__all__ = ["elf_file", "entry", "metadata", "wheel_facts"]

NAME = "pkg-1.0-cp312-cp312-manylinux_2_27_x86_64.whl"


def entry(path: str, **changes: Any) -> Entry:
    """An entry of 100 bytes, deflated to 50."""
    values: dict[str, Any] = {
        "path": path,
        "size": 100,
        "compressed_size": 50,
        "method": 8,
        "flags": 0,
        "mode": 0o644,
    }
    return Entry(**{**values, **changes})


def elf_file(path: str, **changes: Any) -> ElfFile:
    """A shared object that needs the C library alone."""
    values: dict[str, Any] = {
        "path": path,
        "architecture": "x86_64",
        "soname": "",
        "needed": ("libc.so.6",),
        "rpath": (),
        "runpath": (),
        "versions": (("libc.so.6", ("GLIBC_2.17",)),),
    }
    return ElfFile(**{**values, **changes})


def metadata(**changes: Any) -> Metadata:
    """That of `NAME`."""
    values: dict[str, Any] = {
        "name": "pkg",
        "version": "1.0",
        "requires_dist": (),
        "extras": (),
        "requires_python": ">=3.10",
        "tags": parse_wheel_name(NAME).tags(),
        "root_is_purelib": False,
        "generator": "test",
    }
    return Metadata(**{**values, **changes})


def wheel_facts(
    elf_files: Iterable[ElfFile] = (), paths: Iterable[str] = (), name: str = NAME, **changes: Any
) -> WheelFacts:
    """A sound wheel with these files."""
    parsed = parse_wheel_name(name)
    by_path = {elf.path: elf for elf in elf_files}
    metadata_files = [f"{parsed.dist_info}/{file}" for file in ("METADATA", "RECORD", "WHEEL")]
    everything = sorted({*by_path, *paths, *metadata_files})
    values: dict[str, Any] = {
        "name": parsed,
        "size": 1000,
        "entries": tuple(entry(path) for path in everything),
        "hashes": {path: "sha256=x" for path in everything if not path.endswith("/RECORD")},
        "record_problems": (),
        "metadata": metadata(name=parsed.distribution, version=parsed.version, tags=parsed.tags()),
        "elf_files": by_path,
        "dist_info": parsed.dist_info,
    }
    return WheelFacts(**{**values, **changes})
