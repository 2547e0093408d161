# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What Bazel sees of the disk: the root's /usr and /etc, the host's other folders."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tools.launcher import errors, pip_settings, remote_cache
from tools.launcher.host import Host

ROOT_FOLDERS = ("usr", "etc", "var/lib/dpkg")
"""Folders of the root file system, mounted read-only."""

REGISTRY = "/run/tilewright/registry"
"""Where `container.bazelrc` finds the launcher's module registry, whatever the workspace."""

SYSTEM_NAMES = frozenset(
    # One string, so that the list stays readable when formatted.
    "bin boot dev etc host lib lib32 lib64 libx32 lost+found proc run sbin snap sys usr var".split()  # noqa: SIM905
)
"""Top-level names of the host that are not mounted as they are."""

READ_ONLY_NAMES = frozenset(("opt",))

USER_FILES = ("/etc/passwd", "/etc/group")
SETTINGS_FILES = ("/etc/hosts", "/etc/resolv.conf", *USER_FILES)

CERTIFICATE_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/cert.pem",  # Alpine
)

WRITABLE_VARIABLES = ("TMPDIR", "XDG_CACHE_HOME")

READ_ONLY_VARIABLES = (
    "CUDA_HOME",
    "CUDA_PATH",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
    "NETRC",
    "NODE_EXTRA_CA_CERTS",
    "PYENV_ROOT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    *remote_cache.FILES,
)

ROOTS_OWN = frozenset(
    ("", "/", *(f"/{name}" for name in ROOT_FOLDERS), "/etc/ssl/certs", CERTIFICATE_BUNDLES[0])
)
"""Paths that no setting replaces by the host's; the bundle there is the host's already."""

OUTPUT_OPTIONS = ("--output_base", "--output_user_root")

COMMANDS = frozenset(
    (
        "analyze-profile",
        "aquery",
        "build",
        "canonicalize-flags",
        "clean",
        "config",
        "coverage",
        "cquery",
        "dump",
        "fetch",
        "help",
        "info",
        "license",
        "mobile-install",
        "mod",
        "modquery",
        "print_action",
        "query",
        "run",
        "shutdown",
        "sync",
        "test",
        "vendor",
        "version",
    )
)
"""Bazel's: the first of them ends the startup options, any other word is an option's value."""


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


def _base_mounts(root: str, launcher_workspace: str) -> list[Mount]:
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
        Mount(REGISTRY, os.path.join(launcher_workspace, "tools/launcher/registry"), "ro-bind"),
        Mount("/host/usr", "/usr", "ro-bind"),
        Mount("/var/tmp", "/var/tmp", "bind"),
    ]
    return mounts


def _host_folders(top: str) -> list[Mount]:
    mounts = []
    for name in sorted(os.listdir(top)):
        path = os.path.join(top, name)
        if name in SYSTEM_NAMES:
            continue
        if os.path.islink(path):
            mounts.append(Mount("/" + name, os.readlink(path), "symlink"))
        elif os.path.isdir(path) and os.access(path, os.R_OK | os.X_OK):
            kind = "ro-bind" if name in READ_ONLY_NAMES else "bind"
            mounts.append(Mount("/" + name, path, kind))
    return mounts


def _system_files() -> list[Mount]:
    mounts = [
        Mount(path, os.path.realpath(path), "ro-bind")
        for path in SETTINGS_FILES
        if os.path.isfile(path)
    ]
    bundle = next((path for path in CERTIFICATE_BUNDLES if os.path.isfile(path)), None)
    if bundle is not None:
        mounts.append(Mount(CERTIFICATE_BUNDLES[0], os.path.realpath(bundle), "ro-bind"))
    return mounts


def output_folders(arguments: Sequence[str]) -> list[str]:
    """Absolute folders that startup options give Bazel for its output."""
    found = []
    remaining = iter(arguments)
    for argument in remaining:
        if argument in COMMANDS:
            break
        name, equals, value = argument.partition("=")
        if name in OUTPUT_OPTIONS:
            value = value if equals else next(remaining, "")
            if os.path.isabs(value):
                found.append(value)
    return found


def _extra_folders(environ: Mapping[str, str]) -> Iterator[str]:
    for path in environ.get("TILEWRIGHT_BIND", "").split(":"):
        if not path:
            continue
        if not os.path.isabs(path) or not os.path.exists(path):
            raise errors.SettingError(
                f"`TILEWRIGHT_BIND` names `{path}`, which is not an existing absolute path",
                "make it a colon-separated list of existing absolute paths",
            )
        yield path


def _shows(path: str, kind: str, mounts: Iterable[Mount]) -> bool:
    """Whether `path` of the host shows at its own path, writable if `kind` is `bind`."""
    around = [
        mount
        for mount in mounts
        if mount.kind.endswith("bind") and (path + "/").startswith(mount.target + "/")
    ]
    if not around:
        return False
    nearest = max(around, key=lambda mount: len(mount.target))
    return nearest.source == nearest.target and (kind == "ro-bind" or nearest.kind != "ro-bind")


def plan(
    host: Host, environ: Mapping[str, str], root: str, outputs: Sequence[str] = (), top: str = "/"
) -> tuple[Mount, ...]:
    """Mounts for one call, parents before children.

    They follow from the machine and the environment, not from the command: the server keeps the
    mounts of the call that started it, so a path that shows in one call must show in the next.
    Folders named by startup options are the exception, since they name another server too.

    Args:
        host: the caller's surroundings.
        environ: the caller's environment; TILEWRIGHT_BIND adds colon-separated paths.
        root: absolute folder of the root file system.
        outputs: existing folders that startup options name.
        top: the host's root folder.

    Raises:
        SettingError: TILEWRIGHT_BIND names something that does not exist.
    """
    mounts = _base_mounts(root, host.launcher_workspace) + _host_folders(top) + _system_files()
    writable = [host.launcher_workspace, host.workspace or host.cwd, host.home, *outputs]
    writable += [environ.get(name, "") for name in WRITABLE_VARIABLES]
    writable += _extra_folders(environ)
    read_only = pip_settings.config_files(host, environ)
    read_only += pip_settings.local_paths(host, environ)
    read_only += [environ.get(name, "") for name in READ_ONLY_VARIABLES]
    for kind, paths in (("bind", writable), ("ro-bind", read_only)):
        for given in paths:
            path = os.path.normpath(given) if os.path.isabs(given) else ""
            if path in ROOTS_OWN or not os.path.exists(path):
                continue
            if not _shows(path, kind, mounts):
                mounts = [mount for mount in mounts if mount.target != path]
                mounts.append(Mount(path, path, kind))
    return tuple(sorted(mounts, key=lambda mount: mount.target.count("/")))


def missing_mount_points(mounts: Sequence[Mount], root: str) -> list[tuple[str, bool]]:
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

    A mounted file shows what it was when the server started, even if the host has replaced it
    since: so the content of files counts. The list of users does not: the one who runs the server
    stays in it, and another's account is no reason to restart.
    """
    digest = hashlib.sha256()
    for mount in mounts:
        digest.update(os.fsencode("\0".join(mount) + "\n"))
        counts = mount.kind == "ro-bind" and mount.target not in USER_FILES
        if counts and os.path.isfile(mount.source):
            with open(mount.source, "rb") as stream:
                digest.update(stream.read())
    return digest.hexdigest()[:12]


def bwrap_options(mounts: Sequence[Mount], cwd: str) -> list[str]:
    """Options of bubblewrap for the mounts; the root of all of them is read-only."""
    options: list[str] = []
    for mount in mounts:
        if mount.kind == "tmpfs":
            options += ["--tmpfs", mount.target]
        else:
            options += ["--" + mount.kind, mount.source, mount.target]
    return [*options, "--remount-ro", "/", "--chdir", cwd]
