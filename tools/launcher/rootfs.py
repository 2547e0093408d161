# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The recipe of the root file system and where it lies. Pure: nothing here touches the disk."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from tools.launcher import errors

FORMAT_VERSION = 1
"""Raise it when the way a root is made changes, so that every machine makes a new one."""

MANIFEST = "etc/tilewright-root-manifest"
"""Sorted `name=version` lines of the installed packages, relative to the root. Written last."""

MINIMUM_BAZEL = (7, 4)
BAZEL_LIMIT = (8, 0)

MOUNT_POINT_FILES = (
    "etc/hosts",
    "etc/resolv.conf",
    "etc/passwd",
    "etc/group",
    "etc/pip.conf",
    "etc/ssl/certs/ca-certificates.crt",
)
"""Files of the host that are mounted over the root's; each must exist there as a plain file."""

HOSTS = "127.0.0.1 localhost\n::1 localhost\n"
"""For machines without /etc/hosts: Bazel's client and server meet on localhost."""


class Recipe(NamedTuple):
    """What goes into a root file system.

    Attributes:
        suite: Debian suite. `forky` is Debian 14, the first with Bazel 7.
        packages: packages asked for by name; mmdebstrap adds their dependencies.
        title: what it is for, in messages.
        gigabytes: what it takes on disk.
        space: bytes free in the cache folder before it is made.
    """

    suite: str
    packages: tuple[str, ...]
    title: str = "Bazel"
    gigabytes: float = 1.4
    space: int = 4 * 10**9
    """For Bazel: Bazel's own caches want the rest."""

    @property
    def key(self) -> str:
        """Short hash of suite and packages: the name of the root's folder."""
        text = "\n".join((str(FORMAT_VERSION), self.suite, *sorted(self.packages)))
        return hashlib.sha256(text.encode()).hexdigest()[:12]


RECIPE = Recipe(
    suite="forky",
    packages=(
        "bazel-bootstrap",
        "ca-certificates",
        # Bazel wants some C++ toolchain to exist; --config=host_toolchain builds with this one.
        "g++",
        "python3",
        "python3-dev",
        "python3-pip",
        "python3-venv",
    ),
)


def parse_manifest(text: str) -> dict[str, str]:
    """Package versions by name from a manifest's `name=version` lines."""
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name: version for name, _, version in pairs}


def bazel_version(manifest: str) -> str:
    """Upstream version of the Bazel in a root, such as `7.7.1`.

    Args:
        manifest: text of the root's manifest.

    Raises:
        BazelVersionError: there is none, or it lies outside [7.4, 8).
    """
    package = parse_manifest(manifest).get("bazel-bootstrap", "")
    match = re.match(r"(?:\d+:)?(\d+)\.(\d+)(?:\.\d+)*", package)
    if match is None:
        raise errors.BazelVersionError(
            f"the root file system has no usable `bazel-bootstrap` (version `{package}`)",
            errors.BAZELISK_HINT,
        )
    found = (int(match.group(1)), int(match.group(2)))
    version = match.group(0).partition(":")[2] or match.group(0)
    if not MINIMUM_BAZEL <= found < BAZEL_LIMIT:
        raise errors.BazelVersionError(
            f"the suite `{RECIPE.suite}` now has Bazel {version}; "
            f"this workspace needs at least {MINIMUM_BAZEL[0]}.{MINIMUM_BAZEL[1]} "
            f"and less than {BAZEL_LIMIT[0]}",
            errors.BAZELISK_HINT,
        )
    return version
