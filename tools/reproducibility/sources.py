# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The committed sources of a workspace, laid out somewhere else."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .errors import SourceError

#: The machine's git as the launcher's root file system shows it, and libraries that it may need.
_HOST_GIT = "/host/usr/bin/git"
_LIBRARIES = "/usr/lib/x86_64-linux-gnu:/host/usr/lib/x86_64-linux-gnu:/host/usr/lib64"


def archive_head(workspace: Path, archive: Path) -> None:
    """Write the files of HEAD into a tar archive.

    Not a clone: that would start further programs, which the root file system does not have.

    Args:
        workspace: a git work tree.
        archive: the file to make.

    Raises:
        SourceError: there is no git, or no commit.
    """
    git, environment = shutil.which("git"), dict(os.environ)
    if git is None and os.path.exists(_HOST_GIT):
        git, environment["LD_LIBRARY_PATH"] = _HOST_GIT, _LIBRARIES
    if git is None:
        raise SourceError("`git` not found", hint="install git, which reads the sources of HEAD")
    _run(
        [git, "-C", str(workspace), "archive", f"--output={archive}", "--format=tar", "HEAD"],
        f"cannot read HEAD of `{workspace}`",
        "run it in a git work tree with a commit; what is committed is built",
        environment,
    )


def unpack(archive: Path, target: Path) -> None:
    """Lay the files of an archive out in a new folder; their time is the current one.

    Raises:
        SourceError: they cannot be written.
    """
    target.mkdir(parents=True)
    _run(
        ["tar", "--extract", "--touch", f"--file={archive}", f"--directory={target}"],
        f"cannot write `{target}`",
        "make room, or name another folder with --work",
        os.environ,
    )


def _run(command: list[str], what: str, hint: str, environment: Mapping[str, str]) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode:
        messages = done.stderr.decode(errors="replace").strip().splitlines()
        raise SourceError(f"{what}: {[f'exit code {done.returncode}', *messages][-1]}", hint=hint)
