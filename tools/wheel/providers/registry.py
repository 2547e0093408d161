# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads the wheels of a package through pip, one at a time: each is deleted once it is read."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Container
from pathlib import Path, PurePosixPath

from packaging.utils import canonicalize_name
from packaging.version import Version

from ..archive.reader import WheelReader, open_wheel
from ..elf.elf_file import ElfFile
from ..elf.reader import ELF_MAGIC, read_elf
from ..inspection.metadata import read_metadata
from .errors import RegistryError
from .families import FAMILIES
from .table import Content

#: The machine that extras are looked up for.
_LINUX = {
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
}


def list_versions(package: str) -> tuple[str, ...]:
    """The versions with a wheel for this machine and interpreter, oldest first."""
    text = _pip("index", "versions", package)
    prefix = "Available versions:"
    lines = [line.removeprefix(prefix) for line in text.splitlines() if line.startswith(prefix)]
    if not lines:
        raise RegistryError(
            f"pip lists no version of `{package}`", hint=f"try `pip index versions {package}`"
        )
    return tuple(sorted((item.strip() for item in lines[0].split(",")), key=Version))


def read_package(package: str, version: str, packages: Container[str]) -> Content:
    """What the wheel of a version gives to other wheels.

    Args:
        package: its name.
        version: its version.
        packages: the packages of the table, which extras may name.
    """
    with tempfile.TemporaryDirectory(prefix="providers-") as folder:
        _pip("download", "--no-deps", "--no-cache-dir", "--dest", folder, f"{package}=={version}")
        (path,) = Path(folder).iterdir()
        with open_wheel(path) as wheel:
            return read_content(wheel, packages)


def read_content(wheel: WheelReader, packages: Container[str]) -> Content:
    """What a wheel gives to other wheels."""
    dist_info = wheel.name.dist_info
    metadata = read_metadata(
        wheel.read_text(f"{dist_info}/METADATA"), wheel.read_text(f"{dist_info}/WHEEL")
    )
    files = [elf for path in wheel.paths if (elf := _library(wheel, path)) is not None]
    libraries = {elf.soname or PurePosixPath(elf.path).name: elf.path for elf in files}
    needed = {library for elf in files for library in elf.needed} - set(libraries)
    extras: dict[str, set[str]] = {}
    for requirement in metadata.requires_dist:
        name = canonicalize_name(requirement.name)
        if requirement.marker and name in packages:
            for extra in metadata.extras:
                if requirement.marker.evaluate({**_LINUX, "extra": extra}):
                    extras.setdefault(extra, set()).add(name)
    return Content(
        libraries=dict(sorted(libraries.items())),
        needs=tuple(sorted(name for name in needed if _in_a_family(name))),
        extras={}
        if libraries
        else {extra: tuple(sorted(extras[extra])) for extra in sorted(extras)},
        purelib=metadata.root_is_purelib,
    )


def _in_a_family(library: str) -> bool:
    return any(family.matches(library) for family in FAMILIES.values())


def _library(wheel: WheelReader, path: str) -> ElfFile | None:
    """A shared library that others may need: no stub, no program, no extension module."""
    place = PurePosixPath(path)
    if ".so" not in place.name or "stubs" in place.parts:
        return None
    with tempfile.TemporaryFile() as copy:
        for chunk in wheel.chunks(path):
            if not copy.tell() and not chunk.startswith(ELF_MAGIC):
                return None
            copy.write(chunk)
        elf = read_elf(copy, path)
    if elf is None or elf.executable or any(s.name.startswith("PyInit_") for s in elf.exports):
        return None
    return elf


def _pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    run = subprocess.run([*command, "--only-binary=:all:"], capture_output=True, text=True)
    if run.returncode:
        raise RegistryError(
            f"`pip {' '.join(arguments)}` failed: {run.stderr.strip().splitlines()[-1:]}",
            hint="it needs an index that has the package's wheels",
        )
    return run.stdout
