# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of building twice and comparing. Exit codes 60 and 61."""

from __future__ import annotations

from tools.wheel.archive.errors import ToolError


class SourceError(ToolError):
    """The committed sources cannot be read, or the folder to work in is in use."""

    exit_code = 60


class BuildError(ToolError):
    """A build failed, or made no wheel."""

    exit_code = 61
