# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Asks a gRPC cache what it can do, before Bazel does.

Bazel only warns where a cache lacks what a flag asks for, and then builds without the cache. One
call of the Remote Execution API, `Capabilities.GetCapabilities`, over HTTP/2 as far as that call
needs it (RFC 9113 and 7541: every header a literal, what the peer's headers say is not read).
"""

from __future__ import annotations

import base64
import netrc
import os
import socket
import ssl
import struct
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import SplitResult

from tools.launcher.protobuf import fields

METHOD = "/build.bazel.remote.execution.v2.Capabilities/GetCapabilities"
TIMEOUT = 5.0
"""Seconds for the whole answer."""

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY = 0, 1, 3, 4, 6, 7
END_STREAM = ACK = 0x1
END_HEADERS, PADDED = 0x4, 0x8
STREAM = 1
LONGEST_ANSWER = 1 << 20

CACHE_CAPABILITIES, SUPPORTED_COMPRESSORS, ZSTD = 1, 6, 1
"""Fields of ServerCapabilities and CacheCapabilities, and a value of Compressor.Value."""

PORTS = {"grpc": 80, "grpcs": 443}


class Frame(NamedTuple):
    """One frame of HTTP/2."""

    kind: int
    flags: int
    stream: int
    payload: bytes


def offers_zstd(url: SplitResult, environ: Mapping[str, str]) -> bool:
    """Whether a cache takes and gives blobs that are compressed with zstd.

    Args:
        url: its address, `grpc://` or `grpcs://`.
        environ: the caller's environment: NETRC names a file with the password, else it may be in
            `~/.netrc`, and TILEWRIGHT_REMOTE_* the certificates.

    Raises:
        OSError: it is not reached, or gives no answer.
        ValueError: it answers something else.
    """
    host = url.hostname or ""
    address = (host, url.port or PORTS[url.scheme])
    authorization = _authorization(host, environ)
    with socket.create_connection(address, timeout=TIMEOUT) as plain:
        if url.scheme == "grpc":
            return has_zstd(call(plain, "http", url.netloc, authorization))
        context = ssl.create_default_context(cafile=environ.get("TILEWRIGHT_REMOTE_CA") or None)
        certificate = environ.get("TILEWRIGHT_REMOTE_CLIENT_CERTIFICATE")
        if certificate:
            context.load_cert_chain(certificate, environ.get("TILEWRIGHT_REMOTE_CLIENT_KEY"))
        context.set_alpn_protocols(["h2"])
        with context.wrap_socket(plain, server_hostname=host) as connection:
            return has_zstd(call(connection, "https", url.netloc, authorization))


def _authorization(host: str, environ: Mapping[str, str]) -> str:
    """The header of a password for the host; empty without."""
    path = environ.get("NETRC", "")
    usual = os.path.join(environ.get("HOME", ""), ".netrc")
    if not path and os.path.isfile(usual):
        path = usual
    try:
        found = netrc.netrc(path).authenticators(host) if path else None
    except (netrc.NetrcParseError, UnicodeDecodeError) as error:
        raise ValueError(f"`{path}` is no netrc file: {error}") from error
    if found is None:
        return ""
    return "Basic " + base64.b64encode(f"{found[0]}:{found[2]}".encode()).decode()


def call(connection: socket.socket, scheme: str, host: str, authorization: str) -> bytes:
    """The answer to `GetCapabilities`, a message of protocol buffers."""
    headers = {
        ":method": "POST",
        ":scheme": scheme,
        ":path": METHOD,
        ":authority": host,
        "te": "trailers",
        "content-type": "application/grpc",
    }
    if authorization:
        headers["authorization"] = authorization
    question = struct.pack(">BI", 0, 0)  # not compressed, and empty: the instance without a name
    connection.sendall(
        PREFACE
        + render_frame(Frame(SETTINGS, 0, 0, b""))
        + render_frame(Frame(HEADERS, END_HEADERS, STREAM, render_headers(headers)))
        + render_frame(Frame(DATA, END_STREAM, STREAM, question))
    )
    answer = b""
    for frame in frames(connection):
        if frame.kind == DATA:
            padding = 1 + frame.payload[0] if frame.flags & PADDED else 0
            start = 1 if frame.flags & PADDED else 0
            answer += frame.payload[start : len(frame.payload) - padding + start]
        elif frame.kind in (SETTINGS, PING) and not frame.flags & ACK:
            payload = frame.payload if frame.kind == PING else b""
            connection.sendall(render_frame(Frame(frame.kind, ACK, 0, payload)))
        elif frame.kind in (RST_STREAM, GOAWAY):
            raise ValueError("it refuses the call")
        if len(answer) > LONGEST_ANSWER:
            raise ValueError("its answer is too long")
        if frame.stream == STREAM and frame.kind in (DATA, HEADERS) and frame.flags & END_STREAM:
            break
    if len(answer) < 5 or answer[0] or len(answer) != 5 + int.from_bytes(answer[1:5], "big"):
        raise ValueError("it does not answer the call; is a password needed, or wrong?")
    return answer[5:]


def render_frame(frame: Frame) -> bytes:
    """A frame as it is sent."""
    length = len(frame.payload).to_bytes(3, "big")
    return length + struct.pack(">BBI", frame.kind, frame.flags, frame.stream) + frame.payload


def render_headers(headers: Mapping[str, str]) -> bytes:
    """Headers as HPACK: literals that are to be kept in no table."""
    found = bytearray()
    for name, value in headers.items():
        found += b"\0"
        for text in (name.encode(), value.encode()):
            found += _hpack_length(len(text)) + text
    return bytes(found)


def _hpack_length(length: int) -> bytes:
    """An integer with a prefix of 7 bits."""
    if length < 127:
        return bytes((length,))
    rest, found = length - 127, bytearray((127,))
    while rest >= 128:
        found.append(rest % 128 + 128)
        rest //= 128
    return bytes(found) + bytes((rest,))


def frames(connection: socket.socket) -> Iterator[Frame]:
    """What the peer sends, until it ends the connection.

    Raises:
        OSError: it takes longer than `TIMEOUT`.
        ValueError: it ends the connection.
    """
    deadline = time.monotonic() + TIMEOUT
    while True:
        head = _receive(connection, 9, deadline)
        size = int.from_bytes(head[:3], "big")
        if size > LONGEST_ANSWER:
            raise ValueError("it does not speak gRPC")
        kind, flags, stream = struct.unpack(">BBI", head[3:])
        yield Frame(kind, flags, stream, _receive(connection, size, deadline))


def _receive(connection: socket.socket, count: int, deadline: float) -> bytes:
    data = b""
    while len(data) < count:
        connection.settimeout(max(deadline - time.monotonic(), 0.001))
        chunk = connection.recv(count - len(data))
        if not chunk:
            raise ValueError("it ends the connection")
        data += chunk
    return data


def has_zstd(message: bytes) -> bool:
    """Whether a `ServerCapabilities` message names zstd among the cache's compressors."""
    for number, cache in fields(message):
        if number == CACHE_CAPABILITIES and isinstance(cache, bytes):
            for inner, value in fields(cache):
                packed = value if isinstance(value, bytes) else bytes((min(value, 127),))
                if inner == SUPPORTED_COMPRESSORS and ZSTD in packed:
                    return True
    return False
