# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of auditing: exit codes 50 to 59. The codes of findings are those of the checks."""

from __future__ import annotations

from ..archive.errors import ToolError


class SettingsError(ToolError):
    """The declared settings cannot be read or do not make sense."""

    exit_code = 50


class NewLibraryError(ToolError):
    """A wheel reaches libraries that the one before it did not."""

    exit_code = 51
