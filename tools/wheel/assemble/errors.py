# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of assembling a wheel: exit codes 20 to 29. Those of the archive may be raised too."""

from __future__ import annotations

from ..archive.errors import ToolError


class RequestError(ToolError):
    """The request file, or a file that it names, is not what the tool expects."""

    exit_code = 20


class MetadataError(ToolError):
    """A metadata value breaks the core metadata specification."""

    exit_code = 21


class NativeInPureError(ToolError):
    """A wheel for any platform holds a shared object."""

    exit_code = 22


class ForeignExtensionError(ToolError):
    """An extension module was built for another Python than the wheel's tag says."""

    exit_code = 23


class ComponentError(ToolError):
    """A part from elsewhere is declared wrongly, or is in none of the files named for it."""

    exit_code = 24
