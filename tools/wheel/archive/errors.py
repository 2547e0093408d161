# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of reading and writing wheel archives, and the base class of every tool's errors.

An exit code belongs to one class; codes 10 to 19 are those of this package.
"""

from __future__ import annotations

from typing import ClassVar


class ToolError(Exception):
    """A user-facing failure: what happened and where, then what to do next."""

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, *, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.what}\nhint: {self.hint}"


class WheelNameError(ToolError):
    """A file name is not a wheel name."""

    exit_code = 10


class BadArchiveError(ToolError):
    """A wheel cannot be read as a zip archive, or holds an entry that no installer may accept."""

    exit_code = 11


class MemberPathError(ToolError):
    """A path inside an archive is unsafe, is used twice, or is a file and a folder at once."""

    exit_code = 12


class RecordError(ToolError):
    """RECORD does not agree with the content of the wheel."""

    exit_code = 13


class CompressorError(ToolError):
    """The compressor at hand is not the pinned one, so the bytes would differ."""

    exit_code = 14


class FileAccessError(ToolError):
    """A file or stream cannot be read or written: absent, a folder, full, closed, not permitted."""

    exit_code = 15
