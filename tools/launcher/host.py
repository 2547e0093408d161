# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Facts about the machine and the user, looked up once per call. Reads, never writes."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from typing import NamedTuple

from tools.launcher import errors

WORKSPACE_MARKERS = ("MODULE.bazel", "REPO.bazel", "WORKSPACE.bazel", "WORKSPACE")
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Host(NamedTuple):
    """The caller's surroundings.

    Attributes:
        uid: numeric user id; 0 is root.
        user: login name.
        home: absolute home folder.
        cache: absolute cache folder of the launcher (`$XDG_CACHE_HOME/tilewright`).
        cwd: absolute current folder, symbolic links resolved.
        workspace: the Bazel workspace around `cwd`, or None.
        launcher_workspace: the workspace that holds this launcher.
    """

    uid: int
    user: str
    home: str
    cache: str
    cwd: str
    workspace: str | None
    launcher_workspace: str

    @property
    def roots(self) -> str:
        """Folder of the root file systems."""
        return os.path.join(self.cache, "rootfs")


def find_workspace(start: str) -> str | None:
    """The nearest folder at or above `start` that Bazel takes for a workspace."""
    folder = start
    while True:
        if any(os.path.isfile(os.path.join(folder, name)) for name in WORKSPACE_MARKERS):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def inspect(environ: Mapping[str, str], launcher_workspace: str) -> Host:
    """Look the host up.

    Args:
        environ: the caller's environment.
        launcher_workspace: absolute folder above `tools/launcher`.

    Raises:
        UnsupportedHostError: not Linux on x86-64.
        SettingError: HOME or XDG_CACHE_HOME is not absolute, HOME is to hold the cache and does
            not exist, or the current folder is gone.
    """
    machine = os.uname()
    if machine.sysname != "Linux" or machine.machine != "x86_64":
        raise errors.UnsupportedHostError(
            f"the launcher's Bazel runs on Linux x86-64 only, this is "
            f"{machine.sysname} {machine.machine}",
            "build on such a machine or in a container of it; the pinned compilers are for it",
        )
    uid = os.getuid()
    user = environ.get("USER", "")
    home = environ.get("HOME", "")
    if not user or not home:
        try:
            entry = pwd.getpwuid(uid)
        except KeyError:
            entry = None
        user = user or (entry.pw_name if entry else str(uid))
        home = home or (entry.pw_dir if entry else "/tmp")
    cache = environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    for name, value in (("HOME", home), ("XDG_CACHE_HOME", cache)):
        if not os.path.isabs(value):
            raise errors.SettingError(
                f"`{name}` is `{value}`, which is not an absolute path",
                f"set {name} to an absolute path",
            )
    if not environ.get("XDG_CACHE_HOME") and not os.path.isdir(home):
        raise errors.SettingError(
            f"`HOME` is `{home}`, which is not an existing folder",
            "set HOME to your home folder, or XDG_CACHE_HOME to a folder that you can write",
        )
    try:
        cwd = os.getcwd()
    except FileNotFoundError:
        raise errors.SettingError(
            "the current folder no longer exists", "change to an existing folder"
        ) from None
    return Host(
        uid=uid,
        user=user,
        home=home,
        cache=os.path.join(cache, "tilewright"),
        cwd=cwd,
        workspace=find_workspace(cwd),
        launcher_workspace=launcher_workspace,
    )


def find_program(name: str) -> str | None:
    """Absolute path of a system program, or None.

    The system's folders come first and the caller's PATH does not count: what makes the root file
    system must not be a stray file of a project on PATH.
    """
    for folder in SYSTEM_PATH.split(":"):
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None
