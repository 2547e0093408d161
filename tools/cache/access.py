# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Who may read and who may write: password files in the form that nginx reads."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets

from tools.cache import errors
from tools.cache.folder import Folder, give

SHORTEST_PASSWORD = 24
"""A request costs one hash, and a build makes thousands of requests, so the hash is a fast one
(`{SSHA}`): it protects a long random password and no other."""

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
        path: the file; it is made if it does not exist.
        user: the name.
        password: None makes a random one.

    Raises:
        OptionError: the name or the password will not do.
    """
    if not USER_NAME.fullmatch(user):
        raise errors.OptionError(
            f"`{user}` is no name for a user", "use letters, digits and . _ - in it"
        )
    if password is None:
        password = secrets.token_urlsafe(32)
    elif len(password) < SHORTEST_PASSWORD or re.search(r"\s", password):
        raise errors.OptionError(
            f"the password has {len(password)} characters; it needs {SHORTEST_PASSWORD}, no blank",
            "leave `--password-stdin` out and a random one is made",
        )
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except FileNotFoundError:
        text = ""
    line = f"{user}:{hashed(password, secrets.token_bytes(8))}"
    temporary = path + ".new"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as stream:
        stream.write(with_user(text, user, line))
    os.replace(temporary, path)
    return password


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
        path = os.path.join(folder.run, name)
        descriptor = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        give(path + ".new", folder)
        os.replace(path + ".new", path)
