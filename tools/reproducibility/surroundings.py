# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The surroundings of either build: as little as possible is the same."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PASSED = frozenset(("BAZEL_REAL", "TERM", "UV_PYTHON_INSTALL_DIR", "PYENV_ROOT"))
#: What reaches the package registries, the launcher and the interpreters of the machine.
_PASSED_STARTS = ("CURL_", "PIP_", "REQUESTS_", "SSL_", "TILEWRIGHT_", "XDG_CACHE_HOME")
_PASSED_ENDS = ("_proxy", "_PROXY")
#: Variables of a remote cache: a build that takes results from one shows nothing.
_REMOTE = "TILEWRIGHT_REMOTE_"
#: Variables with the folders that programs are looked for in.
_PATHS = ("PATH", "TILEWRIGHT_HOST_PATH")


@dataclass(frozen=True)
class Surroundings:
    """What a build can see of the machine."""

    #: Name of the build, and of the machine as root.
    name: str
    user: str
    #: Where the checkout is, below the folder of the build, and where Bazel writes.
    checkout: str
    output: str
    home: str
    zone: str
    locale: str
    #: Put before PATH.
    path: str
    jobs: str
    umask: int

    def environment(self, caller: Mapping[str, str], folder: Path) -> dict[str, str]:
        """All variables of the build.

        Args:
            caller: those of this process.
            folder: that of the build.
        """
        home = folder / self.home
        cache = Path(caller.get("HOME") or "/root") / ".cache"
        result = {"XDG_CACHE_HOME": str(cache)}  # of downloads, which are pinned
        result |= {name: value for name, value in caller.items() if _passes(name)}
        for name in _PATHS:
            if name in caller:
                result[name] = self.path + caller[name]
        return result | {
            "HOME": str(home),
            "USER": self.user,
            "LOGNAME": self.user,
            "TZ": self.zone,
            "LANG": self.locale,
            "LC_ALL": self.locale,
        }

    def command(self, command: list[str]) -> list[str]:
        """The command on a machine of that name, where this process may name one."""
        if not _may_name_machines():
            return command
        return ["unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', self.name, *command]


FIRST = Surroundings(
    name="first",
    user="first",
    checkout="src",
    output="out",
    home="home",
    zone="UTC",
    locale="C.UTF-8",
    path="",
    jobs="auto",
    umask=0o022,
)

SECOND = Surroundings(
    name="second",
    user="somebody-else",
    checkout="much/deeper/in/another-folder",
    output="likewise/deep/output-of-bazel",
    home="users/somebody-else",
    zone="Asia/Tokyo",
    locale="C",
    path="/opt/none:",
    jobs="HOST_CPUS*.5",
    umask=0o027,
)


def _passes(name: str) -> bool:
    listed = name in _PASSED or name.startswith(_PASSED_STARTS) or name.endswith(_PASSED_ENDS)
    return listed and not name.startswith(_REMOTE)


def _may_name_machines() -> bool:
    if os.geteuid() != 0:
        return False
    try:
        return subprocess.run(["unshare", "--uts", "true"], capture_output=True).returncode == 0
    except OSError:
        return False
