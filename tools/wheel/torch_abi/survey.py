# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Finds the C functions of torch in its wheels. Not part of the audit: it makes `shims.json`."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Mapping, Set
from pathlib import Path

from ..archive.names import parse_wheel_name
from ..archive.reader import open_wheel
from ..elf.reader import ELF_MAGIC, read_elf
from .symbols import SHIM

_CHUNK = 1 << 20


def minor_release(wheel: Path) -> tuple[int, int]:
    """The minor release of a wheel of torch, by its name."""
    major, minor, *_ = parse_wheel_name(wheel.name).version.split(".")
    return int(major), int(minor)


def exported_shims(wheel: Path) -> set[str]:
    """The C functions that the libraries of a wheel of torch export."""
    found = set()
    with open_wheel(wheel) as archive:
        for path in archive.paths:
            if not path.startswith("torch/lib/"):
                continue
            with tempfile.TemporaryFile() as copy:
                for chunk in archive.chunks(path):
                    copy.write(chunk)
                copy.seek(0)
                elf = read_elf(copy, path) if copy.read(len(ELF_MAGIC)) == ELF_MAGIC else None
            for symbol in elf.exports if elf else ():
                if SHIM.fullmatch(symbol.name):
                    found.add(symbol.name)
    return found


def added(releases: Mapping[tuple[int, int], Set[str]]) -> dict[str, list[str]]:
    """The functions of each release that no older one has, sorted.

    The oldest release is left out: its functions may be older still.
    """
    known: set[str] = set()
    result = {}
    for (major, minor), names in sorted(releases.items()):
        result[f"{major}.{minor}"] = sorted(names - known)
        known |= names
    return dict(list(result.items())[1:])


def survey(wheels: Iterable[Path]) -> str:
    """The content of `shims.json` for one wheel of each minor release."""
    digests = {}
    releases = {}
    for wheel in sorted(wheels, key=minor_release):
        digests[wheel.name] = _digest(wheel)
        releases[minor_release(wheel)] = exported_shims(wheel)
    return json.dumps({"wheels": digests, "added": added(releases)}, indent=1) + "\n"


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
