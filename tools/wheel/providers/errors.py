# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors about providers of libraries."""

from __future__ import annotations

from ..archive.errors import ToolError


class UnknownFamilyError(ToolError):
    """An exclude family has no entry in the table."""

    exit_code = 30


class RegistryError(ToolError):
    """The wheels that the table is made from cannot be had."""

    exit_code = 52
