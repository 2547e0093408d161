# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of reading ELF files. Exit code 33."""

from __future__ import annotations

from ..archive.errors import ToolError


class BadElfError(ToolError):
    """An ELF file cannot be read, or is for another machine than the platform."""

    exit_code = 33
