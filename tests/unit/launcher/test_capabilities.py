# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A cache is asked what it can do; the cache here is a socket with prepared frames."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tools.launcher import capabilities
from tools.launcher.capabilities import (
    ACK,
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    HEADERS,
    PADDED,
    PING,
    SETTINGS,
    Frame,
    render_frame,
)

#: ServerCapabilities with cache_capabilities: digest function SHA256 and, packed, the compressors
#: identity and zstd; and one without compressors.
WITH_ZSTD = b"\x0a\x07\x0a\x01\x01\x32\x02\x00\x01"
WITHOUT = b"\x0a\x03\x0a\x01\x01"


def answer(message: bytes, flags: int = 0) -> Frame:
    body = b"\0" + len(message).to_bytes(4, "big") + message
    if flags & PADDED:
        body = b"\x03" + body + b"\0\0\0"
    return Frame(DATA, flags, 1, body)


TRAILERS = Frame(HEADERS, END_HEADERS | END_STREAM, 1, b"")


@contextmanager
def serving(*frames: Frame) -> Iterator[tuple[str, list[bytes]]]:
    """A server for one connection: its address, and what it was sent."""
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                received.append(connection.recv(65536))
                with suppress(OSError):
                    for frame in frames:
                        connection.sendall(render_frame(frame))
                    connection.settimeout(0.2)
                    while chunk := connection.recv(65536):
                        received.append(chunk)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"grpc://127.0.0.1:{listening.getsockname()[1]}", received
        thread.join()


def ask(address: str, **environ: str) -> bool:
    return capabilities.offers_zstd(urlsplit(address), environ)


@pytest.mark.parametrize(
    ("message", "expected"), [(WITH_ZSTD, True), (WITHOUT, False), (b"", False)]
)
@pytest.mark.parametrize("flags", [0, PADDED])
def test_compressors_are_read_from_the_answer(message: bytes, expected: bool, flags: int) -> None:
    with serving(Frame(SETTINGS, 0, 0, b""), answer(message, flags), TRAILERS) as (address, _):
        assert ask(address) is expected


def test_question_names_the_method_and_answers_settings_and_pings() -> None:
    frames = (Frame(SETTINGS, 0, 0, b""), Frame(PING, 0, 0, b"12345678"), answer(WITHOUT), TRAILERS)
    with serving(*frames) as (address, received):
        ask(address)
    sent = b"".join(received)
    assert sent.startswith(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
    assert b"/build.bazel.remote.execution.v2.Capabilities/GetCapabilities" in sent
    assert b"authorization" not in sent
    assert sent.endswith(b"\0\0\0\4\1\0\0\0\0" + b"\0\0\x08\6\1\0\0\0\0" + b"12345678")


def test_password_of_the_netrc_file_is_sent_to_its_host_alone(tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    file.write_text("machine 127.0.0.1 login ada password secret\n")
    file.chmod(0o600)
    with serving(answer(WITHOUT), TRAILERS) as (address, received):
        ask(address, NETRC=str(file))
    assert b"Basic YWRhOnNlY3JldA==" in received[0]
    file.rename(tmp_path / ".netrc")
    with serving(answer(WITHOUT), TRAILERS) as (address, received):
        ask(address, HOME=str(tmp_path))
    assert b"Basic YWRhOnNlY3JldA==" in received[0], "the usual file is Bazel's, too"
    file.write_text("machine other login ada password secret\n")
    with serving(answer(WITHOUT), TRAILERS) as (address, received):
        ask(address, NETRC=str(file))
    assert b"authorization" not in received[0]


@pytest.mark.parametrize(
    ("frames", "complaint"),
    [
        ((TRAILERS,), "it does not answer the call; is a password needed, or wrong?"),
        ((Frame(GOAWAY, 0, 0, b"\0" * 8),), "it refuses the call"),
        ((), "it ends the connection"),
        ((Frame(SETTINGS, 0, 0, b"x" * 2**20 + b"x"),), "it does not speak gRPC"),
        (
            (answer(b"\x0a\xff"), TRAILERS),
            "no message of protocol buffers: it ends within a number",
        ),
        (
            (answer(b"\x0a\x05x"), TRAILERS),
            "no message of protocol buffers: it ends within a field",
        ),
        ((answer(b"\x0b"), TRAILERS), "no message of protocol buffers: wire type 3"),
    ],
)
def test_other_answers_are_explained(frames: tuple[Frame, ...], complaint: str) -> None:
    with serving(*frames) as (address, _), pytest.raises(ValueError) as caught:
        ask(address)
    assert str(caught.value) == complaint


def test_long_header_has_its_length_in_several_bytes() -> None:
    assert capabilities.render_headers({"a": "b" * 300}) == b"\0\1a\x7f\xad\x01" + b"b" * 300


def test_server_that_talks_without_answering_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capabilities, "TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                for _ in range(50):
                    connection.sendall(render_frame(Frame(SETTINGS, ACK, 0, b"")))
                    time.sleep(0.05)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        started = time.monotonic()
        with pytest.raises(OSError, match="timed out"):
            ask(f"grpc://127.0.0.1:{listening.getsockname()[1]}")
        assert time.monotonic() - started < 2
        thread.join()
