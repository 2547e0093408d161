# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A running cache server, its users, and disks that fill up."""

import base64
import contextlib
import dataclasses
import http.client
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator

from tests.e2e.wheels import REPOSITORY

SERVE = REPOSITORY / "tools" / "cache" / "serve"

#: Some versions of curl lose an answer that came, and closed the stream, while they were sending.
CURL_STREAM_ERROR = 92


def note(text: str) -> None:
    print(f"== {text}", file=sys.stderr, flush=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclasses.dataclass
class Users:
    """Password files, and the passwords in them."""

    folder: pathlib.Path
    passwords: dict[str, str] = dataclasses.field(default_factory=dict)

    def add(self, file: str, user: str) -> None:
        command = [str(SERVE), "htpasswd", str(self.folder / file), user, "--machine", "localhost"]
        line = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        (self.folder / f"{user}.netrc").write_text(line)
        self.passwords[user] = line.split()[-1]

    def header(self, user: str) -> dict[str, str]:
        if not user:
            return {}
        text = f"{user}:{self.passwords.get(user, 'wrong')}".encode()
        return {"Authorization": "Basic " + base64.b64encode(text).decode()}


class Server:
    """A running `serve`, on a port of its own unless one is given."""

    def __init__(
        self, kind: str, root: pathlib.Path, users: Users, *options: str, port: int | None = None
    ) -> None:
        self.root, self.port = root, port or free_port()
        command = [str(SERVE), kind, "--root", str(root), "--listen", f"127.0.0.1:{self.port}"]
        command += ["--name", "localhost", "--writers", str(users.folder / "writers"), *options]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=open(root.with_suffix(".log"), "ab"),  # noqa: SIM115
            text=True,
        )
        assert self.process.stdout is not None
        self.settings: dict[str, str] = {}
        while "TILEWRIGHT_REMOTE_CACHE" not in self.settings or (
            "--self-signed" in options and "TILEWRIGHT_REMOTE_CA" not in self.settings
        ):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"no server: {root.with_suffix('.log').read_text()[-3000:]}")
            name, _, value = line.rstrip("\n").partition("=")
            self.settings[name] = value
        authority = self.settings.get("TILEWRIGHT_REMOTE_CA")
        if authority is not None:  # as a client has it: Bazel's server sees no later mount
            copy = users.folder / f"{self.port}.pem"
            shutil.copy(authority, copy)
            self.settings["TILEWRIGHT_REMOTE_CA"] = str(copy)

    @property
    def address(self) -> str:
        return self.settings["TILEWRIGHT_REMOTE_CACHE"]

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ends it; returns the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=60)

    def connection(self) -> http.client.HTTPConnection:
        authority = self.settings.get("TILEWRIGHT_REMOTE_CA")
        if authority is None:
            return http.client.HTTPConnection("localhost", self.port, timeout=30)
        context = ssl.create_default_context(cafile=authority)
        return http.client.HTTPSConnection("localhost", self.port, timeout=30, context=context)

    def request(
        self, method: str, path: str, headers: dict[str, str], body: bytes | None = None
    ) -> tuple[int, bytes]:
        with contextlib.closing(self.connection()) as connection:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            return response.status, response.read()

    def call(self, method: str, message: bytes, headers: dict[str, str]) -> str:
        """HTTP status and gRPC status of one call, by curl: `200 0`, `401 -`."""
        authority = self.settings.get("TILEWRIGHT_REMOTE_CA")
        scheme = "https" if authority else "http"
        command = ["curl", "-s", "-i", "--path-as-is", "--output", "-"]
        command += ["--data-binary", "@-", "-X", "POST"]
        command += ["--cacert", authority] if authority else ["--http2-prior-knowledge"]
        command += ["-H", "content-type: application/grpc", "-H", "te: trailers"]
        for name, value in headers.items():
            command += ["-H", f"{name}: {value}"]
        command += [f"{scheme}://localhost:{self.port}/{method}"]
        frame = b"\0" + len(message).to_bytes(4, "big") + message
        for _ in range(100):
            done = subprocess.run(command, input=frame, stdout=subprocess.PIPE, check=False)
            if done.returncode != CURL_STREAM_ERROR:
                break
        text = done.stdout.decode(errors="replace")
        status = re.search(r"HTTP/2 (\d+)", text)
        code = re.search(r"grpc-status: (\d+)", text)
        return f"{status.group(1) if status else '-'} {code.group(1) if code else '-'}"


@contextlib.contextmanager
def serving(kind: str, root: pathlib.Path, users: Users, *options: str) -> Iterator[Server]:
    server = Server(kind, root, users, *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()


@contextlib.contextmanager
def small_disk(folder: pathlib.Path, megabytes: int) -> Iterator[pathlib.Path]:
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], check=True
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
