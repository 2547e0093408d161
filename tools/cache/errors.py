# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, each with its exit code and the next step."""

from __future__ import annotations

from typing import ClassVar


class CacheError(Exception):
    """A failure that the program explains.

    Attributes:
        exit_code: the program's exit status for this failure.
        message: what happened and where, one line.
        hint: what to do next, one line.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}"


class OptionError(CacheError):
    """An option has a value that cannot be used."""

    exit_code = 2


class FolderError(CacheError):
    """The cache's folder cannot be used, or another server holds it."""

    exit_code = 3


class ProgramError(CacheError):
    """A server program could not be had or could not be prepared."""

    exit_code = 4


class ServerError(CacheError):
    """A server program ended although nobody had asked it to, or did not come up."""

    exit_code = 5
