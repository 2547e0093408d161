# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What Bazel sees of the disk: the root's /usr and /etc, the host's other folders."""

from __future__ import annotations

import hashlib
import os
from typing import Iterable, List, Mapping, NamedTuple, Sequence, Tuple

from tools.launcher import pip_settings
from tools.launcher.host import Host

ROOT_FOLDERS = ("usr", "etc", "var/lib/dpkg")
"""Folders of the root file system, mounted read-only."""

SYSTEM_NAMES = frozenset(
    "bin boot dev etc host lib lib32 lib64 libx32 lost+found proc run sbin snap sys usr var".split()
)
"""Top-level names of the host that are not mounted as they are."""

READ_ONLY_NAMES = frozenset(("opt",))

CERTIFICATE_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/cert.pem",  # Alpine
)

CERTIFICATE_VARIABLES = (
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
)


class Mount(NamedTuple):
    """One mount.

    Attributes:
        target: absolute path inside.
        source: absolute path on the host; for a symbolic link, its content.
        kind: a bubblewrap option: `ro-bind`, `bind`, `dev-bind`, `symlink` or `tmpfs`.
    """

    target: str
    source: str
    kind: str


def _base_mounts(root: str) -> List[Mount]:
    mounts = [Mount("/" + name, os.path.join(root, name), "ro-bind") for name in ROOT_FOLDERS]
    for name in ("bin", "lib", "lib64", "sbin"):
        path = os.path.join(root, name)
        if os.path.islink(path):
            mounts.append(Mount("/" + name, os.readlink(path), "symlink"))
    mounts += [
        Mount("/dev", "/dev", "dev-bind"),
        # A fresh /proc would be read-only in part, and then Bazel's sandbox cannot mount its own.
        Mount("/proc", "/proc", "bind"),
        Mount("/sys", "/sys", "bind"),
        Mount("/run", "", "tmpfs"),
        Mount("/host/usr", "/usr", "ro-bind"),
        Mount("/var/tmp", "/var/tmp", "bind"),
    ]
    return mounts


def _host_folders() -> List[Mount]:
    mounts = []
    for entry in sorted(os.scandir("/"), key=lambda entry: entry.name):
        if entry.name in SYSTEM_NAMES:
            continue
        if entry.is_symlink():
            mounts.append(Mount(entry.path, os.readlink(entry.path), "symlink"))
        elif entry.is_dir() and os.access(entry.path, os.R_OK | os.X_OK):
            kind = "ro-bind" if entry.name in READ_ONLY_NAMES else "bind"
            mounts.append(Mount(entry.path, entry.path, kind))
    return mounts


def _settings_files() -> List[Mount]:
    mounts = [
        Mount(path, os.path.realpath(path), "ro-bind")
        for path in ("/etc/hosts", "/etc/resolv.conf", "/etc/passwd", "/etc/group", "/etc/pip.conf")
        if os.path.isfile(path)
    ]
    bundle = next((path for path in CERTIFICATE_BUNDLES if os.path.isfile(path)), None)
    if bundle is not None:
        mounts.append(Mount(CERTIFICATE_BUNDLES[0], os.path.realpath(bundle), "ro-bind"))
    return mounts


def _covered(path: str, mounts: Iterable[Mount]) -> bool:
    """Whether `path` of the host shows at its own path through one of the mounts."""
    return any(
        mount.source == mount.target
        and mount.kind in ("bind", "dev-bind", "ro-bind")
        and (path == mount.target or path.startswith(mount.target + "/"))
        for mount in mounts
    )


def plan(host: Host, environ: Mapping[str, str], root: str) -> Tuple[Mount, ...]:
    """Mounts for one call, parents before children.

    They follow from the machine and the environment alone, never from the command line: the
    server keeps the mounts of the call that started it, so a path that shows in one call must show
    in the next.

    Args:
        host: the caller's surroundings.
        environ: the caller's environment; TILEWRIGHT_BIND adds colon-separated folders.
        root: absolute folder of the root file system.
    """
    mounts = _base_mounts(root) + _host_folders() + _settings_files()
    writable = [host.launcher_workspace, host.workspace or host.cwd, host.home]
    writable += [environ.get(name, "") for name in ("TMPDIR", "XDG_CACHE_HOME")]
    writable += environ.get("TILEWRIGHT_BIND", "").split(":")
    read_only = [os.path.dirname(path) for path in pip_settings.config_files(host, environ)]
    read_only += pip_settings.local_paths(host, environ)
    read_only += [environ.get(name, "") for name in CERTIFICATE_VARIABLES]
    for kind, paths in (("bind", writable), ("ro-bind", read_only)):
        for path in paths:
            path = os.path.normpath(path) if path else ""
            if path in ("", "/", "/etc", "/usr") or not os.path.exists(path):
                continue
            if path == os.path.normpath("/etc/ssl/certs") or _covered(path, mounts):
                continue
            if any(mount.target == path for mount in mounts):
                continue
            mounts.append(Mount(path, path, kind))
    return tuple(sorted(mounts, key=lambda mount: mount.target.count("/")))


def missing_mount_points(mounts: Sequence[Mount], root: str) -> List[Tuple[str, bool]]:
    """Mount points that the read-only folders of the root lack: (path under `root`, is folder)."""
    missing = []
    for mount in mounts:
        inside = mount.target.lstrip("/")
        if any(inside.startswith(folder + "/") for folder in ROOT_FOLDERS):
            path = os.path.join(root, inside)
            if not os.path.exists(path):
                missing.append((path, os.path.isdir(mount.source)))
    return missing


def make_mount_points(mounts: Sequence[Mount], root: str) -> None:
    """Create what `missing_mount_points` names, as empty files and folders."""
    for path, is_folder in missing_mount_points(mounts, root):
        os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
        if not is_folder:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o644))


def fingerprint(mounts: Sequence[Mount]) -> str:
    """Changes when a running server would see other files than a new one.

    A file that was replaced (a new inode at the same path) counts: its mount shows the old one.
    """
    lines = []
    for mount in mounts:
        inode = 0
        if mount.kind.endswith("bind"):
            status = os.stat(mount.source)
            inode = status.st_ino if mount.source.startswith("/etc") else 0
        lines.append(f"{mount.kind} {mount.source} {mount.target} {inode}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def bwrap_options(mounts: Sequence[Mount], cwd: str) -> List[str]:
    """Options of bubblewrap for the mounts; the root of all of them is read-only."""
    options: List[str] = []
    for mount in mounts:
        if mount.kind == "tmpfs":
            options += ["--tmpfs", mount.target]
        else:
            options += ["--" + mount.kind, mount.source, mount.target]
    return [*options, "--remount-ro", "/", "--chdir", cwd]
