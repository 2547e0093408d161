# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire protocol of valkey, against a server of a few canned replies."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest

from tools.cache.buildgrid import valkey


@contextlib.contextmanager
def answering(*replies: bytes) -> Iterator[tuple[int, bytearray]]:
    """A server that sends its replies at once and keeps what it gets."""
    received = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(b"".join(replies))
                connection.shutdown(socket.SHUT_WR)
                while chunk := connection.recv(4096):
                    received.extend(chunk)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1], received
        thread.join()


def test_command_is_encoded_with_its_lengths() -> None:
    assert valkey.encode(["GET", b"k\x00y"]) == b"*2\r\n$3\r\nGET\r\n$3\r\nk\x00y\r\n"


def test_replies_of_each_kind_are_read() -> None:
    replies = (b"+OK\r\n", b"*4\r\n:7\r\n$2\r\n\r\n\r\n$-1\r\n*0\r\n")
    with (
        answering(*replies) as (port, received),
        contextlib.closing(valkey.Client(port, "secret")) as client,
    ):
        assert client.call("X") == [7, b"\r\n", None, []]
    assert received.startswith(b"*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n")


def test_error_of_the_server_is_raised() -> None:
    with (
        answering(b"+OK\r\n", b"-LOADING busy\r\n") as (port, _),
        contextlib.closing(valkey.Client(port, "x")) as client,
        pytest.raises(valkey.ValkeyError, match="valkey: LOADING busy"),
    ):
        client.call("PING")


def test_connection_that_ends_early_is_raised() -> None:
    with (
        answering(b"+OK\r\n", b"$5\r\nab") as (port, _),
        contextlib.closing(valkey.Client(port, "x")) as client,
        pytest.raises(valkey.ValkeyError, match="valkey closed the connection"),
    ):
        client.call("PING")
        client.call("PING")


def test_keys_follow_the_cursor_to_its_end() -> None:
    first = b"*2\r\n$2\r\n17\r\n*1\r\n$1\r\na\r\n"
    last = b"*2\r\n$1\r\n0\r\n*2\r\n$1\r\nb\r\n$1\r\na\r\n"
    with (
        answering(b"+OK\r\n", first, last) as (port, received),
        contextlib.closing(valkey.Client(port, "x")) as client,
    ):
        assert list(client.keys("A:*")) == [b"a", b"b", b"a"]
    assert b"$2\r\n17\r\n" in received
