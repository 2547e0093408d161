# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The folder of one cache: what lies where, whose it is, and who holds it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import re
import shutil
from collections.abc import Iterator
from typing import NamedTuple

from tools.cache import errors

KIND = "kind"
"""File that names the server whose entries a folder has."""

LARGEST_RESERVE = 16 * 10**6
RESERVE_PART = 50

PLAIN_PATH = re.compile(r"/[A-Za-z0-9._/+:=,-]*")
"""Paths that stand in a configuration file as they are."""


class Folder(NamedTuple):
    """Paths below the folder that `--root` names.

    Attributes:
        root: absolute path of the folder.
    """

    root: str

    @property
    def data(self) -> str:
        """The entries: all that a backup needs, if anybody wants one."""
        return os.path.join(self.root, "data")

    @property
    def incoming(self) -> str:
        """Uploads that are not whole yet: in the file system of `data`, to be renamed there."""
        return os.path.join(self.root, "incoming")

    @property
    def run(self) -> str:
        """What belongs to one run: configuration, sockets, copies of the password files."""
        return os.path.join(self.root, "run")

    @property
    def temporary(self) -> str:
        """The server programs' folder for temporary files."""
        return os.path.join(self.run, "tmp")

    @property
    def tls(self) -> str:
        """The self-signed certificate and its key."""
        return os.path.join(self.root, "tls")

    @property
    def reserve(self) -> str:
        """A file of no use but to be deleted when the disk is full and a few bytes are needed."""
        return os.path.join(self.root, "reserve")

    @property
    def owner(self) -> tuple[int, int]:
        """User and group whose folder it is; the server programs run as them."""
        status = os.stat(self.root)
        return status.st_uid, status.st_gid

    def kind(self) -> str:
        """Name of the server that it belongs to; empty for a new folder."""
        try:
            with open(os.path.join(self.root, KIND), encoding="utf-8") as stream:
                return stream.read().strip()
        except FileNotFoundError:
            return ""


def absolute(option: str, path: str) -> str:
    """The absolute path of what an option names.

    Raises:
        OptionError: it has characters with a meaning in configuration files.
    """
    result = os.path.abspath(path)
    if not PLAIN_PATH.fullmatch(result):
        raise errors.OptionError(
            f"`{option}` is `{result}`, with characters that mean something in configuration files",
            "use a path of letters, digits and . _ - + : = , /",
        )
    return result


def check(root: str, kind: str) -> None:
    """Raises FolderError if a folder belongs to another kind of server, or holds something else."""
    found = Folder(root).kind()
    if found and found != kind:
        raise errors.FolderError(
            f"`{root}` is the folder of a cache served by {found}",
            f"run `serve {found}` on it, or give `serve {kind}` a folder of its own",
        )
    foreign = sorted(set(os.listdir(root)) - {"lock", "clean.lock", "lost+found"})
    if not found and foreign:
        raise errors.FolderError(
            f"`{root}` is no cache's folder: it has `{foreign[0]}`",
            "name a folder that is empty or does not exist yet",
        )


def prepare(root: str, kind: str) -> Folder:
    """Makes what is missing below a cache's folder; removes what a run that was killed left.

    Call it with the folder checked and locked. As root it gives a new folder that root owns to
    `nobody`.

    Raises:
        FolderError: it belongs to root since longer.
    """
    folder = Folder(root)
    found = folder.kind()
    if os.geteuid() == 0 and folder.owner[0] == 0:
        if found:
            raise errors.FolderError(
                f"`{root}` belongs to root, as whom no server runs",
                f"give it to an ordinary user: chown -R nobody: {root}",
            )
        nobody = pwd.getpwnam("nobody")
        os.chown(root, nobody.pw_uid, nobody.pw_gid)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(folder.reserve)
    for path in (folder.incoming, folder.run):
        shutil.rmtree(path, ignore_errors=True)
    for path in (folder.data, folder.incoming, folder.run, folder.temporary, folder.tls):
        os.makedirs(path, mode=0o700, exist_ok=True)
        give(path, folder)
    if not found:
        with open(os.path.join(root, KIND), "w", encoding="utf-8") as stream:
            stream.write(kind + "\n")
    return folder


def reserve_space(folder: Folder) -> None:
    """Makes the reserve: a fiftieth of the disk, at most 16 MB; less if there is less."""
    size = min(LARGEST_RESERVE, shutil.disk_usage(folder.root).total // RESERVE_PART)
    with contextlib.suppress(OSError), open(folder.reserve, "ab") as stream:
        os.posix_fallocate(stream.fileno(), 0, max(size, 1))


def give(path: str, folder: Folder) -> None:
    """Makes a file or folder the property of the cache folder's owner."""
    if os.geteuid() == 0:
        os.chown(path, *folder.owner)


@contextlib.contextmanager
def locked(root: str, name: str, message: str, hint: str) -> Iterator[None]:
    """Holds the lock file `name` of a folder.

    Raises:
        FolderError: another process holds it; with `message` and `hint`.
    """
    descriptor = os.open(os.path.join(root, name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise errors.FolderError(message, hint) from None
        yield
    finally:
        os.close(descriptor)
