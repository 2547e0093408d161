# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Who may read and who may write: password files in the form that nginx reads."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator

from tools.cache import errors
from tools.cache.folder import Folder, write_file

SHORTEST_PASSWORD = 24
"""A request costs one hash, and a build makes thousands of requests, so the hash is a fast one
(`{SSHA}`): it protects a long random password and no other."""

PASSWORD = re.compile(f"[!-~]{{{SHORTEST_PASSWORD},}}")

USER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def hashed(password: str, salt: bytes) -> str:
    """The salted hash of a password."""
    digest = hashlib.sha1(password.encode() + salt).digest()
    return "{SSHA}" + base64.b64encode(digest + salt).decode()


def with_user(text: str, user: str, line: str) -> str:
    """The text of a password file in which `user` has `line` and no other."""
    others = [kept for kept in text.splitlines() if kept.partition(":")[0] != user]
    return "".join(kept + "\n" for kept in (*others, line))


def set_password(path: str, user: str, password: str | None) -> str:
    """Adds a user to a password file, or changes the password; returns the password.

    Args:
        path: the file; it is made if it does not exist. Owner and mode of one that does stay.
        user: the name.
        password: None makes a random one.

    Raises:
        OptionError: the name, the password or the file will not do.
    """
    if not USER_NAME.fullmatch(user):
        raise errors.OptionError(
            f"`{user}` is no name for a user", "use letters, digits and . _ - in it"
        )
    if password is None:
        password = secrets.token_urlsafe(32)
    elif not PASSWORD.fullmatch(password):
        raise errors.OptionError(
            f"the password has {len(password)} characters; it needs {SHORTEST_PASSWORD} or more, "
            "all of them ASCII, no blank",
            "leave `--password-stdin` out and a random one is made",
        )
    line = f"{user}:{hashed(password, secrets.token_bytes(8))}"
    path = os.path.realpath(path)
    with _alone(os.path.dirname(path)):
        text = b""
        before = os.stat(path) if os.path.exists(path) else None
        if before is not None:
            if not stat.S_ISREG(before.st_mode):
                raise errors.OptionError(
                    f"`{path}` is no file of passwords", "name a plain file, or one to be made"
                )
            with open(path, "rb") as stream:
                text = stream.read()
        changed = with_user(os.fsdecode(text), user, line)
        write_file(path, os.fsencode(changed))
        if before is not None:
            os.chmod(path, stat.S_IMODE(before.st_mode))
            if os.geteuid() == 0:
                os.chown(path, before.st_uid, before.st_gid)
    return password


@contextlib.contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Lets one call at a time change files of a folder.

    Raises:
        OptionError: there is no such folder.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise errors.OptionError(
            f"`{folder}` is no folder, so no password file can be in it",
            f"make it: mkdir -p -m 700 {folder}",
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def read_users(option: str, path: str) -> str:
    """The text of a password file, with a line for each user.

    Raises:
        OptionError: it cannot be read, or a line of it is none of a password file.
    """
    try:
        with open(path, encoding="utf-8") as stream:
            lines = [line for line in stream.read().splitlines() if line and line[0] != "#"]
    except (OSError, UnicodeDecodeError) as error:
        raise errors.OptionError(
            f"`{option}`: `{path}` cannot be read: {getattr(error, 'strerror', None) or error}",
            f"make it: tools/cache/serve htpasswd {path} USER",
        ) from None
    for number, line in enumerate(lines, 1):
        name, colon, digest = line.partition(":")
        if not name or not colon or not digest:
            raise errors.OptionError(
                f"`{option}`: line {number} of `{path}` is not `user:hash`",
                f"make the file anew: tools/cache/serve htpasswd {path} USER",
            )
    if not lines:
        raise errors.OptionError(
            f"`{option}`: `{path}` names no user",
            f"add one: tools/cache/serve htpasswd {path} USER",
        )
    return "".join(line + "\n" for line in lines)


def install(folder: Folder, writers: str, readers: str | None) -> None:
    """Puts the copies of the password files where the server reads them at each request.

    Writers read too. A changed original takes effect with the next call, whole or not at all.

    Raises:
        OptionError: an original cannot be used; the copies stay as they were.
    """
    texts = {"writers": read_users("--writers", writers)}
    if readers is not None:
        texts["readers"] = texts["writers"] + read_users("--readers", readers)
    for name, text in texts.items():
        folder.write(name, text.encode())
