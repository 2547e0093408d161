# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Every check, by exit code. A module here holds the checks of one subject in its `CHECKS`."""

from __future__ import annotations

from ..check import Check
from . import archive, cuda, device_code, elf_layout, metadata, sbom

_MODULES = (archive, metadata, elf_layout, device_code, cuda, sbom)

CHECKS: tuple[Check, ...] = tuple(
    sorted(
        (check for module in _MODULES for check in module.CHECKS),
        key=lambda check: check.exit_code,
    )
)
