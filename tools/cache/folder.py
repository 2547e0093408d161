# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The folder of one cache: what lies where, whose it is, and who holds it."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import pwd
import re
import shutil
import stat
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
            with as_owner(self) as inside, open(os.path.join(inside.root, KIND), "rb") as stream:
                return stream.read(100).decode(errors="replace").strip()
        except FileNotFoundError:
            return ""

    def write(self, name: str, content: bytes) -> str:
        """Writes a file of the run, whole or not at all, for the owner alone; returns its path."""
        with as_owner(self) as inside:
            target = os.path.join(inside.run, name)
            write_file(target, content)
        return os.path.join(self.run, name)


@contextlib.contextmanager
def as_owner(folder: Folder) -> Iterator[Folder]:
    """Does with files what the owner may, in this thread: root follows no link of the owner's.

    The server programs run as the owner and can put anything into the folder. Nothing new can be
    imported meanwhile: Python's own files may be closed to the owner.

    Yields:
        The folder by a path that the owner can go, whatever lies above it.
    """
    if os.geteuid() != 0:
        yield folder
        return
    uid, gid = folder.owner
    libc = ctypes.CDLL(None)
    descriptor = os.open(folder.root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    old_gid, old_uid = libc.setfsgid(gid), libc.setfsuid(uid)
    inside = Folder(f"/proc/self/fd/{descriptor}")
    try:
        yield inside
    except OSError as error:
        if isinstance(error.filename, str):
            error.filename = error.filename.replace(inside.root, folder.root, 1)
        raise
    finally:
        libc.setfsuid(old_uid)
        libc.setfsgid(old_gid)
        os.close(descriptor)


def become(owner: tuple[int, int]) -> None:
    """Makes root another user for good: for a new process, before its program starts."""
    uid, gid = owner
    if os.geteuid() == 0 and uid != 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)


def write_file(path: str, content: bytes) -> None:
    """Writes a file, whole or not at all, for its owner alone."""
    staged = path + ".new"
    descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with open(descriptor, "wb") as stream:
        stream.write(content)
    os.replace(staged, path)


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


def claim(root: str, kind: str) -> Folder:
    """Makes sure that there is a folder for a kind of server; root gives a new one to `nobody`.

    Raises:
        FolderError: it belongs to another kind of server or to root, or holds something else.
    """
    os.makedirs(root, exist_ok=True)
    folder = Folder(root)
    found = folder.kind()
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
    if os.geteuid() == 0 and folder.owner[0] == 0:
        if found:
            raise errors.FolderError(
                f"`{root}` belongs to root, as whom no server runs",
                f"give it to an ordinary user: chown -R nobody: {root}",
            )
        nobody = pwd.getpwnam("nobody")
        os.chown(root, nobody.pw_uid, nobody.pw_gid)
    return folder


def prepare(folder: Folder, kind: str) -> None:
    """Makes what is missing below a cache's folder; removes what a run that was killed left.

    Call it with the folder claimed and locked. Others lose the right to write into the folder: they
    could put entries of theirs in the place of ours.

    Raises:
        FolderError: a part of it lies elsewhere.
    """
    with as_owner(folder) as inside:
        mode = stat.S_IMODE(os.stat(inside.root).st_mode)
        if mode & 0o022:
            os.chmod(inside.root, mode & ~0o022)
        for part in ("data", "incoming", "run", "tls"):
            if os.path.islink(os.path.join(inside.root, part)):
                raise errors.FolderError(
                    f"`{os.path.join(folder.root, part)}` is a symbolic link, which the server "
                    "programs cannot follow",
                    "put the whole folder where the link leads, and name that with `--root`",
                )
        with contextlib.suppress(FileNotFoundError):
            os.unlink(inside.reserve)
        for path in (inside.incoming, inside.run):
            shutil.rmtree(path, ignore_errors=True)
        for path in (inside.data, inside.incoming, inside.run, inside.temporary, inside.tls):
            os.makedirs(path, mode=0o700, exist_ok=True)
        write_file(os.path.join(inside.root, KIND), f"{kind}\n".encode())


def reserve_space(folder: Folder) -> None:
    """Makes the reserve: a fiftieth of the disk, at most 16 MB; less if there is less."""
    size = min(LARGEST_RESERVE, shutil.disk_usage(folder.root).total // RESERVE_PART)
    with contextlib.suppress(OSError), open(folder.reserve, "ab") as stream:
        os.posix_fallocate(stream.fileno(), 0, max(size, 1))


@contextlib.contextmanager
def locked(folder: Folder, name: str, message: str, hint: str) -> Iterator[None]:
    """Holds the lock file `name` of a folder; it may be root's from a time before the owner's.

    Raises:
        FolderError: another process holds it; with `message` and `hint`.
    """
    path = os.path.join(folder.root, name)
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        with as_owner(folder) as inside:
            descriptor = os.open(os.path.join(inside.root, name), flags, 0o600)
    except PermissionError:
        descriptor = os.open(path, flags & ~os.O_CREAT)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise errors.FolderError(message, hint) from None
        yield
    finally:
        os.close(descriptor)
