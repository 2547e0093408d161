# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The committed sources of a workspace, laid out somewhere else."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .errors import SourceError

#: The machine's git as the launcher's root file system shows it, and libraries that it may need.
_HOST_GIT = "/host/usr/bin/git"
_LIBRARIES = "/usr/lib/x86_64-linux-gnu:/host/usr/lib/x86_64-linux-gnu:/host/usr/lib64"


def export_head(workspace: Path, target: Path) -> None:
    """Write the files of HEAD to a new folder.

    Args:
        workspace: a git work tree.
        target: the folder to make.

    Raises:
        SourceError: there is no git, or no commit.
    """
    git, environment = shutil.which("git"), dict(os.environ)
    if git is None and os.path.exists(_HOST_GIT):
        git, environment["LD_LIBRARY_PATH"] = _HOST_GIT, _LIBRARIES
    if git is None:
        raise SourceError("`git` not found", hint="install git, which reads the sources of HEAD")
    target.mkdir(parents=True)
    # Not a clone: that would start further programs, which the root file system does not have.
    command = [git, "-C", str(workspace), "archive", "--format=tar", "HEAD"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as archive:
        unpack = ["tar", "--extract", "--touch", f"--directory={target}"]
        unpacked = subprocess.run(unpack, stdin=archive.stdout, capture_output=True, check=False)
        assert archive.stderr is not None
        messages = archive.stderr.read() or unpacked.stderr
    if archive.returncode or unpacked.returncode:
        lines = messages.decode(errors="replace").strip().splitlines()
        raise SourceError(
            f"cannot read HEAD of `{workspace}`: {lines[-1] if lines else 'no message'}",
            hint="run it in a git work tree with a commit; what is committed is built",
        )
