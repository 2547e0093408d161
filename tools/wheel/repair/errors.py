# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of repairing a wheel: exit codes 30 to 49. Those of archives and ELF are raised, too."""

from __future__ import annotations

from ..archive.errors import ToolError


class NotNativeError(ToolError):
    """The wheel holds no shared object, so there is nothing to repair."""

    exit_code = 32


class ForbiddenFileError(ToolError):
    """A library that the wheel must not carry is inside, possibly renamed."""

    exit_code = 34


class UnresolvedLibraryError(ToolError):
    """A needed library is nowhere: not in the wheel, the policy, an excluded family or a folder."""

    exit_code = 35


class NewSymbolError(ToolError):
    """A file needs a symbol version that the platform does not promise."""

    exit_code = 36


class PolicyError(ToolError):
    """A file has something that the platform's policy forbids: a symbol, or newer instructions."""

    exit_code = 37


class GraftError(ToolError):
    """A library would have to be copied for a file that cannot reach the copy."""

    exit_code = 38


class NameMismatchError(ToolError):
    """The repaired wheel is not named or tagged as declared."""

    exit_code = 39


class RpathError(ToolError):
    """A library search path is not relative to the file, or leaves the installation folder."""

    exit_code = 40


class ContentError(ToolError):
    """Repair changed, lost or added a file that it had no business with, or its executable bit."""

    exit_code = 41


class UnusedExcludeError(ToolError):
    """An exclude pattern matches no library that the wheel needs."""

    exit_code = 43


class NotAllowedError(ToolError):
    """A library would be copied into the wheel that nothing allows there."""

    exit_code = 44
