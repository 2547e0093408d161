# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of reading and editing ELF files. Exit codes 33 and 42."""

from __future__ import annotations

from ..archive.errors import ToolError


class BadElfError(ToolError):
    """An ELF file cannot be read, or is for another machine than the platform."""

    exit_code = 33


class UneditableError(ToolError):
    """An ELF file is laid out so that it cannot be edited."""

    exit_code = 42
