# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Every check, by exit code. A module here holds the checks of one subject in its `CHECKS`."""

from __future__ import annotations

from ..check import Check
from . import (
    archive,
    cuda,
    cxx_runtime,
    dependencies,
    device_code,
    elf_layout,
    elf_rpath,
    metadata,
    platform,
    process,
    python_abi,
    sbom,
    top_level,
    torch_abi,
)

_MODULES = (
    archive,
    metadata,
    elf_layout,
    elf_rpath,
    platform,
    cxx_runtime,
    python_abi,
    top_level,
    torch_abi,
    dependencies,
    process,
    device_code,
    cuda,
    sbom,
)

CHECKS: tuple[Check, ...] = tuple(
    sorted(
        (check for module in _MODULES for check in module.CHECKS),
        key=lambda check: check.exit_code,
    )
)
