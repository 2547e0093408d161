# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of repairing a wheel: exit codes 30 to 49. Those of the archive may be raised too."""

from __future__ import annotations

from ..archive.errors import ToolError


class UnknownFamilyError(ToolError):
    """An exclude family has no entry in the table."""

    exit_code = 30


class UnknownPlatformError(ToolError):
    """The asked platform has no manylinux policy."""

    exit_code = 31


class NotNativeError(ToolError):
    """The wheel holds no shared object, so there is nothing to repair."""

    exit_code = 32


class BadElfError(ToolError):
    """An ELF file cannot be read, or is for another machine than the platform."""

    exit_code = 33


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
    """auditwheel finds that the wheel does not meet the platform's policy, or fails."""

    exit_code = 37


class GraftError(ToolError):
    """What auditwheel would copy into the wheel is not what was planned."""

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


class PatchelfError(ToolError):
    """There is no patchelf to patch with."""

    exit_code = 42
