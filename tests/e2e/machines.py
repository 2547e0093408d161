# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Simulated machines: clones of the repository that share nothing but the kernel.

Each has a checkout, HOME, user, PATH, time zone, locale, number of jobs and output base of its own,
and, as root, a host name.
"""

import dataclasses
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping

from tests.e2e.wheels import REPOSITORY

__all__ = ["WHEEL", "Machine", "is_root", "make", "sha256"]

WHEEL = "//python:wheel"
USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

#: Of the caller's environment, what reaches the package registries.
PASSED = ("PIP_", "SSL_", "REQUESTS_", "CURL_")


@dataclasses.dataclass(frozen=True)
class Machine:
    """One simulated machine.

    Attributes:
        name: what it is called, and its host name as root.
        checkout: its clone of the repository.
        output_root: where its Bazel writes.
        environment: all that it has of variables.
        flags: of every command.
    """

    name: str
    checkout: pathlib.Path
    output_root: pathlib.Path
    environment: dict[str, str]
    flags: tuple[str, ...] = ()

    def bazel(
        self, command: str, *arguments: str, check: bool = True
    ) -> subprocess.CompletedProcess[bytes]:
        """Runs a command of Bazel, and says how long it took."""
        line = [
            "./tools/bazel",
            f"--output_user_root={self.output_root}",
            command,
            *(self.flags if command in ("build", "test", "run") else ()),
            *arguments,
        ]
        if is_root():
            line = ["unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', self.name, *line]
        started = time.monotonic()
        print(f"== {self.name}: {command} {' '.join(arguments)}", file=sys.stderr, flush=True)
        done = subprocess.run(line, cwd=self.checkout, env=self.environment, check=check)
        elapsed = time.monotonic() - started
        print(f"== {self.name}: {command}: {elapsed:.0f} s", file=sys.stderr, flush=True)
        return done

    def with_variables(self, **variables: str) -> "Machine":
        """The same machine, with other values of variables."""
        return dataclasses.replace(self, environment={**self.environment, **variables})

    def wheel(self) -> pathlib.Path:
        """The wheel that it built last."""
        (wheel,) = (self.checkout / "bazel-bin" / "python").glob("*manylinux*.whl")
        return wheel

    def remove_output(self) -> None:
        """Ends its Bazel and removes all that it wrote."""
        self.bazel("shutdown")
        subprocess.run(["chmod", "-R", "u+w", str(self.output_root)], check=True)
        shutil.rmtree(self.output_root)


def make(
    name: str,
    work: pathlib.Path,
    *,
    depth: int = 1,
    path: str = USUAL_PATH,
    zone: str = "UTC",
    locale: str = "C.UTF-8",
    flags: tuple[str, ...] = (),
    variables: Mapping[str, str] | None = None,
) -> Machine:
    """Makes a machine with a clone of HEAD, without what is not committed.

    Args:
        name: what it is called; its user is, too.
        work: existing folder to make it in.
        depth: how many folders deeper the checkout lies.
        path: PATH.
        zone: TZ.
        locale: LANG and LC_ALL.
        flags: of every command of Bazel.
        variables: further variables.
    """
    place = work.joinpath(name, *("deeper",) * depth)
    home = work / f"{name}-home" / name
    for folder in (place, home):
        folder.mkdir(parents=True)
    checkout = place / "tilewright"
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(checkout)], check=True)
    # The launcher's root file system is the same wherever it was made; one is enough here.
    cache = os.environ.get("XDG_CACHE_HOME") or str(pathlib.Path.home() / ".cache")
    environment = {
        **{key: value for key, value in os.environ.items() if key.startswith(PASSED)},
        "HOME": str(home),
        "USER": name,
        "LOGNAME": name,
        "PATH": path,
        "TZ": zone,
        "LANG": locale,
        "LC_ALL": locale,
        "XDG_CACHE_HOME": cache,
        "TERM": "dumb",
        **(variables or {}),
    }
    return Machine(name, checkout, work / f"{name}-output", environment, flags)


def is_root() -> bool:
    return os.geteuid() == 0


def sha256(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
