# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong before Bazel runs, each with its exit code and the next step.

The codes lie between Bazel's own (up to 49) and the shell's (126 and more), so that a script can
tell a failed build from a launcher that could not start one.
"""

from __future__ import annotations

import os
from typing import ClassVar

BAZELISK_HINT = "use bazelisk in place of `tools/bazel` (https://bazel.build/install/bazelisk)"
"""For Linux on x86-64 alone: the pinned compilers run on nothing else."""


class ExplainedError(Exception):
    """A failure that a program explains: the launcher, `tools/cache/serve`.

    Attributes:
        exit_code: the program's exit status for this failure.
        message: what happened and where, one line.
        hint: what to do next, one line.
    """

    exit_code: ClassVar[int]

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  hint: {self.hint}"


class LauncherError(ExplainedError):
    """A failure of the launcher."""

    exit_code = 110


class FileAccessError(LauncherError):
    """A file or folder cannot be read or written, or the machine refuses a system call."""

    @classmethod
    def of(cls, error: OSError) -> FileAccessError:
        """The explanation of an error that the system gave."""
        where = f"`{os.fsdecode(error.filename)}`: " if error.filename else ""
        return cls(
            f"{where}{error.strerror or error}",
            "make it accessible to you; where it lies in the cache folder, set XDG_CACHE_HOME to "
            "a folder that you can write",
        )


class UnsupportedHostError(LauncherError):
    """The machine is not Linux on x86-64."""

    exit_code = 111


class MissingToolError(LauncherError):
    """A program that makes or enters the root file system is absent."""

    exit_code = 112


class DiskSpaceError(LauncherError):
    """A folder has too little space for the root file system."""

    exit_code = 113


class UserNamespaceError(LauncherError):
    """The kernel or a container runtime forbids what bubblewrap needs."""

    exit_code = 114


class SubordinateIdError(LauncherError):
    """An ordinary user has no subordinate ids, which mmdebstrap needs."""

    exit_code = 115


class NetworkError(LauncherError):
    """Packages could not be fetched."""

    exit_code = 116


class BazelVersionError(LauncherError):
    """The suite carries a Bazel outside the supported range."""

    exit_code = 117


class BootstrapError(LauncherError):
    """mmdebstrap or one of its helpers failed in another way."""

    exit_code = 118


class SettingError(LauncherError):
    """An environment variable that steers the launcher has an unusable value."""

    exit_code = 119
