# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of looking a platform up. Exit code 31."""

from __future__ import annotations

from ..archive.errors import ToolError


class UnknownPlatformError(ToolError):
    """The asked platform has no manylinux policy."""

    exit_code = 31
