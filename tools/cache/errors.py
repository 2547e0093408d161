# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, each with its exit code and the next step."""

from __future__ import annotations

import errno
import os

from tools.launcher.errors import ExplainedError


class CacheError(ExplainedError):
    """A failure of `serve`."""


class OptionError(CacheError):
    """An option has a value that cannot be used."""

    exit_code = 2


class FolderError(CacheError):
    """The cache's folder cannot be used, or another server holds it."""

    exit_code = 3

    @classmethod
    def of(cls, error: OSError) -> FolderError:
        """The explanation of an error that the system gave."""
        where = f"`{os.fsdecode(error.filename)}`: " if error.filename else ""
        hint = "give the path of a folder or file that can be used, as root or as its owner"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            hint = "make room on the disk, or give `--root` a larger one"
        elif error.errno in (errno.EPIPE, errno.EBADF):
            hint = "keep standard output open, or send it to a file"
        return cls(f"{where}{error.strerror or error}", hint)


class ProgramError(CacheError):
    """A server program could not be had or could not be prepared."""

    exit_code = 4


class ServerError(CacheError):
    """A server program ended although nobody had asked it to, or did not come up."""

    exit_code = 5
