# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the machine must have before a root file system can be made or entered."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

from tools.launcher import errors
from tools.launcher import host as host_facts
from tools.launcher.host import Host

GIGABYTE = 10**9
TEMPORARY_SPACE = 2 * GIGABYTE
"""Bytes free in the folder where an ordinary user's mmdebstrap assembles the root."""

DEBIAN_PACKAGES = ("mmdebstrap", "bubblewrap", "debian-archive-keyring", "mount")
"""`mount` is absent from the smallest installations: mmdebstrap copes, Java's package does not."""


def free_bytes(folder: str) -> int:
    """Bytes an ordinary user may still write in the file system of an existing folder."""
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def check_disk(folder: str, needed: int, free: Callable[[str], int] = free_bytes) -> None:
    """Raise DiskSpaceError unless `needed` bytes are free in `folder`."""
    found = free(folder)
    if found < needed:
        raise errors.DiskSpaceError(
            f"`{folder}` has {found / GIGABYTE:.1f} GB free, "
            f"the root file system needs {needed / GIGABYTE:.0f} GB",
            "free some space, or set XDG_CACHE_HOME (and TMPDIR) to a folder on a larger disk",
        )


def missing_programs(
    needed: list[str], find: Callable[[str], str | None] = host_facts.find_program
) -> list[str]:
    """Those of the `needed` programs that the system lacks."""
    return [name for name in needed if find(name) is None]


def needed_programs(host: Host, root_is_made: bool) -> list[str]:
    """Programs a call needs: bubblewrap, and what makes a root while there is none."""
    if root_is_made:
        return ["bwrap"]
    return ["bwrap", "mmdebstrap", "mount"] + ([] if host.uid == 0 else ["newuidmap"])


def ensure_programs(host: Host, needed: list[str], say: Callable[[str], None]) -> None:
    """Install mmdebstrap and bubblewrap where that is possible.

    Args:
        host: the caller's surroundings.
        needed: names of the programs.
        say: called with the name of each step.

    Raises:
        MissingToolError: they are missing and this is not root on Debian or Ubuntu, or apt failed.
    """
    missing = missing_programs(needed)
    if not missing:
        return
    names = " and ".join(f"`{name}`" for name in missing)
    packages = list(DEBIAN_PACKAGES) + ([] if host.uid == 0 else ["uidmap"])
    apt = f"apt-get install {' '.join(packages)}"
    debian = host_facts.find_program("apt-get") is not None
    if not debian:
        raise errors.MissingToolError(
            f"{names} not found",
            "install mmdebstrap and bubblewrap with your package manager, "
            f"or {errors.BAZELISK_HINT}",
        )
    if host.uid != 0:
        raise errors.MissingToolError(f"{names} not found", f"run: sudo {apt}")
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    say(f"installing {', '.join(missing)} with apt-get")
    install = [
        "apt-get",
        "-o",
        "DPkg::Lock::Timeout=120",
        "install",
        "-y",
        "--no-install-recommends",
        *packages,
    ]
    # A failed update may be a foreign source's; the install tells whether it mattered.
    complaints: list[str] = []
    for command in (["apt-get", "update"], install):
        result = subprocess.run(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        output = result.stdout.decode(errors="replace")
        complaints += [line for line in output.splitlines() if line.startswith("E: ")]
    missing = missing_programs(needed)
    if missing:
        raise errors.MissingToolError(
            f"`apt-get install` did not bring {', '.join(missing)}: "
            f"{complaints[0] if complaints else 'no message'}",
            f"run it yourself and see: apt-get update && {apt}",
        )


def check_namespaces(host: Host, bwrap: str) -> None:
    """Raise UserNamespaceError unless bubblewrap can enter a root file system here."""
    options = "--bind / / --dev-bind /dev /dev --bind /proc /proc --bind /sys /sys"
    result = subprocess.run(
        [bwrap, *options.split(), "true"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if result.returncode == 0:
        return
    lines = result.stderr.decode(errors="replace").strip().splitlines()
    message = f"bubblewrap cannot make a namespace: {lines[-1] if lines else 'no message'}"
    raise errors.UserNamespaceError(message, namespace_hint(host.uid))


def _setting(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read().strip()
    except OSError:
        return ""


def namespace_hint(uid: int, setting: Callable[[str], str] = _setting) -> str:
    """The next step where namespaces are forbidden, by what the kernel's settings say."""
    for path, forbidding in (
        ("kernel/apparmor_restrict_unprivileged_userns", "1"),
        ("kernel/unprivileged_userns_clone", "0"),
        ("user/max_user_namespaces", "0"),
    ):
        if uid != 0 and setting("/proc/sys/" + path) == forbidding:
            allowing = {"1": "0", "0": "1"}[forbidding]
            if path.startswith("user/"):
                allowing = "15000"
            name = path.replace("/", ".")
            return f"run: sudo sysctl -w {name}={allowing} ; or {errors.BAZELISK_HINT}"
    return (
        "in a container, start it with `--privileged` (or with SYS_ADMIN and no seccomp filter); "
        f"or {errors.BAZELISK_HINT}"
    )


def has_subordinate_ids(text: str, user: str, uid: int) -> bool:
    """Whether the text of /etc/subuid or /etc/subgid gives the user at least 65536 ids."""
    for line in text.splitlines():
        fields = line.split(":")
        is_theirs = len(fields) == 3 and fields[0] in (user, str(uid))
        if is_theirs and fields[2].isdigit() and int(fields[2]) >= 65536:
            return True
    return False


def check_subordinate_ids(host: Host) -> None:
    """Raise SubordinateIdError unless an ordinary user has subordinate user and group ids."""
    if host.uid == 0:
        return
    for path in ("/etc/subuid", "/etc/subgid"):
        if not has_subordinate_ids(_setting(path), host.user, host.uid):
            raise errors.SubordinateIdError(
                f"`{host.user}` has no 65536 subordinate ids in `{path}`",
                "run: sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 "
                f"{host.user} (choose a range that /etc/subuid does not have yet)",
            )
