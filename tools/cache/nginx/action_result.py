# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The blobs that a remote execution API ActionResult or Tree names, from their bytes. Pure.

Both are protocol buffers; the field numbers are those of `remote_execution.proto` of the API's
version 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.launcher.protobuf import MalformedError, fields

DIGEST = re.compile(rb"[0-9a-f]{64}")


class Digest(NamedTuple):
    """A blob's name.

    Attributes:
        hash: SHA-256 of the content, hexadecimal.
        size: bytes of the content.
    """

    hash: str
    size: int


def _messages(data: bytes, number: int) -> Iterator[bytes]:
    for found, value in fields(data):
        if found == number:
            if not isinstance(value, bytes):
                raise MalformedError(f"field {number} is a number")
            yield value


def _digest(data: bytes) -> Digest:
    name, size = b"", 0
    for number, value in fields(data):
        if number == 1 and isinstance(value, bytes):
            name = value
        elif number == 2 and isinstance(value, int):
            size = value
    if not DIGEST.fullmatch(name):
        raise MalformedError("no digest")
    return Digest(name.decode(), size)


def references(data: bytes) -> tuple[list[Digest], list[Digest]]:
    """Files (with standard output and error) and trees that an ActionResult names.

    Raises:
        MalformedError: the bytes are no ActionResult.
    """
    files = [_digest(digest) for output in _messages(data, 2) for digest in _messages(output, 2)]
    files += [_digest(digest) for number in (6, 8) for digest in _messages(data, number)]
    trees = [_digest(digest) for output in _messages(data, 3) for digest in _messages(output, 3)]
    return files, trees


def tree_files(data: bytes) -> Iterator[Digest]:
    """Files of a Tree, the result of an action with a folder as output.

    Raises:
        MalformedError: the bytes are no Tree.
    """
    for number in (1, 2):
        for directory in _messages(data, number):
            for node in _messages(directory, 1):
                for digest in _messages(node, 2):
                    yield _digest(digest)
