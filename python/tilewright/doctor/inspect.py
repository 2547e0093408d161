# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Gathers the facts. Imports no array library: their versions are read from their metadata."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import json
import os
import platform
import struct
import sys
from collections.abc import Callable, Iterable
from types import ModuleType

from tilewright import __version__
from tilewright._internal.extension import PACKAGE_DIRECTORY, extension, extension_file
from tilewright.doctor.report import Cuda, Facts, File, Tvm, Versions
from tilewright.errors import LibraryNotFoundError, TilewrightError

__all__ = ["inspect"]

# Distributions worth a line: array libraries, and carriers of libraries that tilewright opens.
_PACKAGES = (
    "numpy",
    "torch",
    "jax",
    "jaxlib",
    "cupy",
    "cupy-cuda12x",
    "cupy-cuda13x",
    "ml-dtypes",
    "apache-tvm-ffi",
    "nvidia-cuda-runtime",
    "nvidia-cuda-runtime-cu12",
)

_LIBRARIES = (
    "libtilewright.so",
    "libtilewright_cuda12.so",
    "libtilewright_cuda13.so",
    "libtilewright_tvm.so",
    "libtilewright_ffi.so",
)

_ELF_HEADER = struct.Struct("<40xQ10xHH2x")  # e_shoff, e_shentsize, e_shnum of a 64-bit file


def inspect() -> Facts:
    """The facts about this process and its installation.

    Opens the libraries that operators would open, and initialises the CUDA driver where there is
    one; allocates nothing on a GPU.
    """
    try:
        module, error = extension(), None
    except LibraryNotFoundError as missing:
        module, error = None, str(missing)
    return Facts(
        versions=_versions(),
        files=_files(),
        extension_error=error,
        cpu=None if module is None else json.loads(module.cpu_report()),
        cuda=None if module is None else _cuda(module),
        tvm=None if module is None else _tvm(module),
    )


def _versions() -> Versions:
    return Versions(
        tilewright=__version__,
        metadata=_installed("tilewright"),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        executable=sys.executable,
        platform=f"{platform.system()} {platform.release()} {platform.machine()}",
        glibc=_glibc(),
        packages={name: _installed(name) for name in _PACKAGES},
    )


def _installed(name: str) -> str | None:
    return next((found.version for found in _distributions(name)), None)


def _distributions(name: str) -> Iterable[importlib.metadata.Distribution]:
    # What is no string, imports disregard and importlib.metadata fails on.
    path = [entry for entry in sys.path if isinstance(entry, str)]
    return importlib.metadata.distributions(name=name, path=path)


def _glibc() -> str | None:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):  # another C library
        return None


def _files() -> list[File]:
    if not os.path.isdir(PACKAGE_DIRECTORY):  # an archive, from which no library can be loaded
        return []
    extension_path = extension_file()
    paths = [
        extension_path,
        *(os.path.join(PACKAGE_DIRECTORY, "lib", name) for name in _LIBRARIES),
    ]
    recorded = _recorded_hashes()
    return [_file(path, recorded.get(os.path.realpath(path))) for path in paths]


def _recorded_hashes() -> dict[str, str]:
    """The hash that RECORD gives for each shared library, by the library's real path."""
    hashes: dict[str, str] = {}
    for distribution in _distributions("tilewright"):
        try:
            rows = list(csv.reader((distribution.read_text("RECORD") or "").splitlines()))
        except (UnicodeDecodeError, csv.Error):  # a RECORD that is damaged tells nothing
            continue
        for path, recorded in (row[:2] for row in rows if len(row) > 1):
            if path.endswith(".so"):
                found = os.path.realpath(str(distribution.locate_file(path)))
                hashes.setdefault(found, recorded)
    return hashes


def _file(path: str, recorded: str | None) -> File:
    problem = _problem(path)
    matches = None
    if problem is None and recorded is not None and recorded.startswith("sha256="):
        matches = recorded == f"sha256={_sha256(path)}"
    return File(os.path.basename(path), path, problem, matches)


def _sha256(path: str) -> str:
    """The sha256 of a file, as RECORD writes it."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return base64.urlsafe_b64encode(digest.digest()).decode().rstrip("=")


def _problem(path: str) -> str | None:
    """What is wrong with a shared library: absent, or what a copy that failed half-way leaves."""
    if not os.path.isfile(path):
        return "is missing"
    try:
        with open(path, "rb") as file:
            header = file.read(_ELF_HEADER.size)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if not header:
        return "is empty"
    if not header.startswith(b"\x7fELF"):
        return "is no shared library: it does not begin as an ELF file"
    if len(header) < _ELF_HEADER.size:
        return f"is truncated: {size} bytes"
    # The table of sections is what comes last.
    table, entry_size, entries = _ELF_HEADER.unpack(header)
    needed = table + entry_size * entries
    return f"is truncated: {size} of {needed} bytes" if size < needed else None


def _cuda(module: ModuleType) -> Cuda:
    load_error = _failure(module.cuda_load)
    devices = json.loads(module.cuda_devices())
    return Cuda(
        report=json.loads(module.cuda_report()),
        devices=devices["devices"],
        devices_error=devices["error"],
        load_error=load_error,
    )


def _tvm(module: ModuleType) -> Tvm:
    load_error = _failure(module.tvm_load)
    return Tvm(report=json.loads(module.tvm_report()), load_error=load_error)


def _failure(load: Callable[[], None]) -> str | None:
    try:
        load()
    except TilewrightError as error:
        return str(error)
    return None
