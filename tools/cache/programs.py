# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The server programs: from PATH, or from a root file system made of Debian's packages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

from tools.cache import errors
from tools.cache.folder import Folder, become
from tools.launcher import bootstrap, mounts, rootfs
from tools.launcher import environment as launcher_environment
from tools.launcher import errors as launcher_errors
from tools.launcher import host as host_facts
from tools.launcher.rootfs import Recipe

WORKSPACE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

RECIPE = Recipe(
    suite="trixie",
    packages=(
        "ca-certificates",
        "nginx-light",
        "openssl",
        "python3",
        "python3-pip",
        "valkey-server",
    ),
    title="nginx, valkey and Python",
    gigabytes=0.2,
    space=10**9,
)

NGINX_NEEDS = ("--with-http_dav_module", "--with-http_ssl_module")

NGINX_HINT = "install nginx with your package manager (with its dav and ssl modules)"


class Root(NamedTuple):
    """A root file system and what enters it.

    Attributes:
        path: absolute folder of the root file system.
        bwrap: absolute path of bubblewrap.
        host: the caller's surroundings.
    """

    path: str
    bwrap: str
    host: host_facts.Host


def nginx_on_path(search: str | None = None) -> str | None:
    """Absolute path of the machine's own nginx, if it has the modules that a cache needs."""
    program = shutil.which("nginx", path=search or os.environ.get("PATH", "") + ":" + PATH)
    if program is None:
        return None
    result = subprocess.run(
        [program, "-V"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    text = result.stdout.decode(errors="replace")
    return program if all(option in text for option in NGINX_NEEDS) else None


def without_bazelisk(error: launcher_errors.LauncherError, hint: str) -> str:
    """The next step of a launcher's error where no Bazel is wanted."""
    words = re.sub(r"[,;]? ?(or )?" + re.escape(launcher_errors.BAZELISK_HINT), "", error.hint)
    return "; ".join(word for word in (words.strip(), hint) if word)


def ensure_root(hint: str) -> Root:
    """The root file system with the server programs; made on the first call.

    Args:
        hint: what else the user can do where it cannot be made; may be empty.

    Raises:
        ProgramError: it cannot be made.
    """
    try:
        host = host_facts.inspect(os.environ, WORKSPACE)
        host = host._replace(cache=os.path.join(host.cache, "cache-servers"))
        path = os.path.join(host.roots, RECIPE.key)
        bwrap = host_facts.find_program("bwrap")
        if bwrap is None or not os.path.exists(os.path.join(path, rootfs.MANIFEST)):
            bwrap = bootstrap.ensure(host, RECIPE, path)
        return Root(path, bwrap, host)
    except launcher_errors.LauncherError as error:
        raise errors.ProgramError(error.message, without_bazelisk(error, hint)) from None
    except OSError as error:
        explained = launcher_errors.FileAccessError.of(error)
        raise errors.ProgramError(explained.message, explained.hint) from None


def sandbox(root: Root, folder: Folder, readable: Sequence[str] = ()) -> list[str]:
    """The command of bubblewrap in front of a server program's.

    The program sees the root file system, the cache's folder and the files it is told of, has
    process ids of its own, ends with its parent, and runs as the owner of the cache's folder.

    Args:
        root: the root file system.
        folder: the cache's folder.
        readable: further files and folders, read-only at their own paths.
    """
    command = [root.bwrap, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--tmpfs", "/"]
    for name in ("usr", "etc"):
        command += ["--ro-bind", os.path.join(root.path, name), "/" + name]
    for name in ("bin", "lib", "lib64", "sbin"):
        path = os.path.join(root.path, name)
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), "/" + name]
    command += ["--dev", "/dev", "--bind", "/proc", "/proc"]
    for path in ("/tmp", "/dev/shm"):  # a tmpfs would be root's
        command += ["--bind", folder.temporary, path]
    for kind, paths in (("--ro-bind", readable), ("--bind", (folder.root,))):
        for path in paths:
            for parent in ancestors(path):  # bubblewrap would close them to all but root
                command += ["--dir", parent]
            command += [kind, os.path.realpath(path), path]
    command += ["--chdir", "/", "--clearenv"]
    command += ["--setenv", "PATH", PATH, "--setenv", "LC_ALL", "C.UTF-8"]
    command += ["--setenv", "HOME", "/tmp", "--setenv", "TZ", "UTC0"]
    command.append("--")
    uid, gid = folder.owner
    if os.geteuid() == 0 and uid != 0:
        command += ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--"]
    return command


def ancestors(path: str) -> list[str]:
    """The folders above an absolute path, topmost first, without the root."""
    found: list[str] = []
    while True:
        path = os.path.dirname(path)
        if path == "/":
            return found[::-1]
        found.append(path)


def openssl(
    root: Root | None, folder: Folder, arguments: Sequence[str], data: bytes
) -> tuple[int, str]:
    """Runs openssl as the folder's owner: the root file system's, else the machine's.

    Returns:
        Its exit code, and what it printed.

    Raises:
        ProgramError: there is none.
    """
    command = ["openssl", *arguments]
    if root is not None:
        command = [*sandbox(root, folder), *command]
    elif shutil.which("openssl") is None:
        raise errors.ProgramError(
            "`openssl` not found, which makes and reads certificates",
            "install openssl with your package manager",
        )
    owner = folder.owner
    result = subprocess.run(
        command,
        input=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=None if root is not None else lambda: become(owner),
        check=False,
    )
    return result.returncode, result.stdout.decode(errors="replace").strip()


def run_in_root(root: Root, command: Sequence[str], writable: Sequence[str]) -> bytes:
    """Runs a command in the root file system as the launcher runs Bazel: with pip's settings.

    Returns:
        What it printed on standard output.

    Raises:
        ProgramError: it failed; its messages are on standard error.
    """
    host = root.host
    plan = mounts.plan(host, os.environ, root.path, writable)
    mounts.make_mount_points(plan, root.path)
    environ = launcher_environment.plan(host, os.environ, "")
    result = subprocess.run(
        [root.bwrap, *mounts.bwrap_options(plan, "/"), "--die-with-parent", "--", *command],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=False,
    )
    if result.returncode != 0:
        sys.stderr.flush()
        raise errors.ProgramError(
            f"`{command[0]}` ended with exit code {result.returncode}; its messages are above",
            "check the network and pip's settings (`pip config list`), then run it again",
        )
    return result.stdout
