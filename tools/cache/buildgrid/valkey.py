# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A client for valkey: the few commands that cleaning needs, in its wire protocol (RESP 2)."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from typing import Any

Reply = Any
"""Bytes, an integer, None, or a list of those."""


class ValkeyError(OSError):
    """valkey answered with an error, or not at all."""


class Client:
    """A connection.

    Args:
        port: TCP port on 127.0.0.1.
        password: that of the run.
    """

    def __init__(self, port: int, password: str) -> None:
        # Not `create_connection`, which imports an encoding: see `folder.as_owner`.
        self._socket = socket.socket()
        self._socket.settimeout(60.0)
        try:
            self._socket.connect(("127.0.0.1", port))
        except OSError:
            self._socket.close()
            raise
        self._stream = self._socket.makefile("rb")
        self.call("AUTH", password)

    def close(self) -> None:
        """Ends the connection."""
        self._stream.close()
        self._socket.close()

    def call(self, *words: str | bytes) -> Reply:
        """Sends one command and returns the reply.

        Raises:
            ValkeyError: the reply is an error.
        """
        (reply,) = self.pipeline([words])
        return reply

    def pipeline(self, commands: Sequence[Sequence[str | bytes]]) -> list[Reply]:
        """Sends commands at once and returns their replies.

        Raises:
            ValkeyError: a reply is an error.
        """
        self._socket.sendall(b"".join(encode(words) for words in commands))
        return [self._read() for _ in commands]

    def keys(self, pattern: str) -> Iterator[bytes]:
        """The keys that a pattern matches; one may come twice."""
        cursor: bytes = b"0"
        while True:
            reply = self.call("SCAN", cursor, "MATCH", pattern, "COUNT", "1000")
            if not isinstance(reply, list) or not isinstance(reply[0], bytes):
                raise ValkeyError("valkey: SCAN was not understood")
            cursor, found = reply[0], reply[1]
            if isinstance(found, list):
                yield from (key for key in found if isinstance(key, bytes))
            if cursor == b"0":
                return

    def _read(self) -> Reply:
        line = self._stream.readline()
        if not line.endswith(b"\r\n"):
            raise ValkeyError("valkey closed the connection")
        kind, text = line[:1], line[1:-2]
        if kind == b"+":
            return text
        if kind == b"-":
            raise ValkeyError(f"valkey: {text.decode(errors='replace')}")
        number = int(text)
        if kind == b":":
            return number
        if number < 0:
            return None
        if kind == b"$":
            return self._stream.read(number + 2)[:-2]
        return [self._read() for _ in range(number)]


def encode(words: Sequence[str | bytes]) -> bytes:
    """A command as it goes over the wire."""
    parts = [f"*{len(words)}\r\n".encode()]
    for word in words:
        data = word.encode() if isinstance(word, str) else word
        parts.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(parts)
