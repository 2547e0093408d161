# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of reading execution logs. Exit code 1 means that actions missed, 2 wrong usage."""

from __future__ import annotations

from tools.wheel.archive.errors import ToolError


class LogError(ToolError):
    """A log cannot be used."""

    exit_code = 3


class UnreadableFileError(LogError):
    """A file is absent, a folder, or not permitted."""


class NoExecutionLogError(LogError):
    """A file is something else than an execution log, or of a format that is not known."""

    exit_code = 4


class TruncatedLogError(LogError):
    """A log ends too early, as that of a Bazel that was killed."""

    exit_code = 5


class NoActionsError(LogError):
    """A log has no actions, as that of a Bazel that was killed at once or had nothing to do."""

    exit_code = 5

    def __init__(self, name: str) -> None:
        super().__init__(
            f"`{name}` has no actions: Bazel was killed, or ran none",
            hint="actions that the local action cache answers are not logged: run `bazel clean` "
            "before the build that writes the log",
        )


class DecompressorError(LogError):
    """The package that reads compact logs is not there."""

    exit_code = 6


class DifferentFormatsError(LogError):
    """The two logs cannot be compared with each other."""

    exit_code = 7


class NoSuchActionError(ToolError):
    """No action is of the targets and mnemonics that were asked for."""

    exit_code = 2
