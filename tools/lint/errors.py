# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Errors of lint itself. A finding about the tree is none: it is a `Problem`, exit code 1."""

from __future__ import annotations


class LintError(Exception):
    """Lint cannot do its work.

    Attributes:
        exit_code: what the process ends with.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}\nhint: {hint}")


class TreeError(LintError):
    """The root of the source tree is unknown or no folder."""

    exit_code = 3


class ProgramError(LintError):
    """An outside program is missing, or failed in a way that is no finding."""

    exit_code = 4


class UnknownCheckError(LintError):
    """A name on the command line is no check."""

    exit_code = 5
