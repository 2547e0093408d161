# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Starts the cache servers for real and treats them badly.

usage: python3 -m tests.e2e.cache_servers.check [--work DIR] [nginx | buildgrid | bazel ...]

* nginx: who may do what; an entry is whole or absent when the server is killed in the middle of an
  upload, when two write one key, and when the disk is full; cleaning; signals.
* buildgrid: who may call what, by curl; cleaning; signals.
* bazel: builds with either server: hits after a restart and after a kill; wrong credentials; an
  upload without the right to; a full disk. The build ends well each time.

As root the disk of the full-disk checks is a tmpfs; without root they are left out, visibly.
The first run makes the root file system of the servers and takes some minutes; later ones take two.
Exit code 0 when all holds.
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from tests.e2e.cache_servers.bazel import check_bazel
from tests.e2e.cache_servers.server import (
    SERVE,
    Server,
    Users,
    free_port,
    note,
    serving,
    small_disk,
)


def blob(size: int, seed: int) -> tuple[str, bytes]:
    content = (hashlib.sha256(str(seed).encode()).digest() * (size // 32 + 1))[:size]
    return f"/cas/{hashlib.sha256(content).hexdigest()}", content


def check_access(work: pathlib.Path, users: Users) -> None:
    note("nginx: who may do what")
    path, content = blob(1000, 1)
    with serving(
        "nginx", work / "access", users, "--self-signed", "--readers", str(users.folder / "readers")
    ) as server:

        def status(method: str, user: str, at: str = path, body: bytes | None = None) -> int:
            return server.request(method, at, users.header(user), body)[0]

        for user, expected in (("", 401), ("wrong", 401), ("reader", 401), ("writer", 201)):
            assert status("PUT", user, body=content) == expected, user
        for user, expected in (("", 401), ("wrong", 401), ("reader", 200), ("writer", 200)):
            assert status("GET", user) == expected, user
            assert status("HEAD", user) == expected, user
        for method in ("DELETE", "MKCOL", "COPY", "MOVE", "PROPFIND", "POST"):
            assert status(method, "writer") == 405, method
            assert status(method, "reader") == 401, method
        for at in ("/", "/cas/abc", "/cas/../writers", "/ac/" + "A" * 64, path + "/x", "/x" + path):
            assert status("PUT", "writer", at, b"x") in (400, 404), at
        assert server.request("GET", path, users.header("reader")) == (200, content)

        note("nginx: a new user is known after SIGHUP, connections go on")
        users.add("writers", "late")
        with contextlib.closing(server.connection()) as connection:
            connection.request("GET", path, headers=users.header("reader"))
            assert connection.getresponse().read() == content
            server.process.send_signal(signal.SIGHUP)
            time.sleep(2)
        assert status("GET", "late") == 200
        second = [str(SERVE), "nginx", "--root", str(server.root), "--plaintext"]
        second += [
            "--listen",
            f"127.0.0.1:{free_port()}",
            "--writers",
            str(users.folder / "writers"),
        ]
        result = subprocess.run(second, check=False, stderr=subprocess.PIPE)
        assert result.returncode == 3, "a second server on one folder"
        assert server.end() == 0


def check_kill_in_upload(work: pathlib.Path, users: Users) -> None:
    note("nginx: killed in the middle of an upload")
    root = work / "kill"
    path, content = blob(8_000_000, 2)
    with serving("nginx", root, users, "--plaintext") as server:
        connection = server.connection()
        connection.putrequest("PUT", path)
        for name, value in users.header("writer").items():
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(content)))
        connection.endheaders()
        connection.send(content[: len(content) // 2])
        time.sleep(1)
        assert any(entry.is_file() for entry in (root / "incoming").rglob("*")), "no upload began"
        assert server.request("GET", path, {})[0] == 404, "half an entry shows"
        server.end(signal.SIGKILL)
        connection.close()
    time.sleep(1)
    with contextlib.closing(socket.socket()) as probe:
        assert probe.connect_ex(("127.0.0.1", server.port)) != 0, "nginx outlived its parent"
    with serving("nginx", root, users, "--plaintext") as server:
        assert server.request("GET", path, {})[0] == 404
        assert not any(entry.is_file() for entry in (root / "incoming").rglob("*"))
        assert server.request("PUT", path, users.header("writer"), content)[0] == 201
        assert server.request("GET", path, {}) == (200, content)


def check_two_writers(work: pathlib.Path, users: Users) -> None:
    note("nginx: two write one key while others read it")
    key = "/ac/" + "ab" * 32
    contents = [bytes([65 + index]) * (100_000 + 50_000 * index) for index in range(2)]
    seen = set()
    with serving("nginx", work / "two", users, "--plaintext") as server:
        stop = threading.Event()
        failures = []

        def write(content: bytes) -> None:
            for _ in range(50):
                status = server.request("PUT", key, users.header("writer"), content)[0]
                if status not in (201, 204):
                    failures.append(status)

        def read() -> None:
            while not stop.is_set():
                status, content = server.request("GET", key, {})
                if status == 200 and content not in contents:
                    failures.append(len(content))
                seen.add(content[:1])

        reader = threading.Thread(target=read)
        writers = [threading.Thread(target=write, args=(content,)) for content in contents]
        for thread in (reader, *writers):
            thread.start()
        for thread in writers:
            thread.join()
        stop.set()
        reader.join()
    assert not failures, failures
    assert {b"A", b"B"} <= seen, seen


def check_full_disk(work: pathlib.Path, users: Users) -> None:
    if os.geteuid() != 0:
        note("nginx: full disk LEFT OUT, it needs root")
        return
    note("nginx: a full disk, and cleaning while the server runs")
    with small_disk(work / "full", 20) as disk:
        root = disk / "cache"
        with serving("nginx", root, users, "--plaintext") as server:
            stored, refused = {}, []
            for seed in range(40):
                path, content = blob(1_000_000, seed)
                if server.request("PUT", path, users.header("writer"), content)[0] == 201:
                    stored[path] = content
                else:
                    refused.append(path)
            assert stored and refused, (len(stored), len(refused))
            for path, content in stored.items():
                assert server.request("GET", path, {}) == (200, content), path
            for path in refused:
                assert server.request("GET", path, {})[0] == 404, path
            oldest = next(iter(stored))
            output = subprocess.run(
                [SERVE, "clean", "--root", root, "--max-size", "10M"],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout
            note(f"clean: {output.strip()}")
            left = [path for path in stored if server.request("GET", path, {})[0] == 200]
            assert oldest not in left and list(stored)[-1] in left
            assert len(left) == 9, len(left)
            path, content = blob(1_000_000, 99)
            assert server.request("PUT", path, users.header("writer"), content)[0] == 201


def check_buildgrid(work: pathlib.Path, users: Users) -> None:
    note("buildgrid: who may call what")
    api = "build.bazel.remote.execution.v2"
    digest = b"\x0a\x40" + b"ab" * 32 + b"\x10\x05"
    result = b"\x12" + bytes([len(digest)]) + digest  # action_digest in both requests
    reads = {
        f"{api}.Capabilities/GetCapabilities": (b"", "200 0"),
        f"{api}.ActionCache/GetActionResult": (result, "200 5"),  # not found
        f"{api}.ContentAddressableStorage/FindMissingBlobs": (b"", "200 0"),
    }
    writes = {
        f"{api}.ActionCache/UpdateActionResult": result + b"\x1a\x00",
        f"{api}.ContentAddressableStorage/BatchUpdateBlobs": b"",
    }
    options = ("--self-signed", "--readers", str(users.folder / "readers"))
    with serving("buildgrid", work / "grid", users, *options) as server:
        for method, (message, expected) in reads.items():
            for user, answer in (
                ("", "401 -"),
                ("wrong", "401 -"),
                ("reader", expected),
                ("writer", expected),
            ):
                found = server.call(method, message, users.header(user))
                assert found == answer, (method, user, found)
        for method, message in writes.items():
            for user, answer in (("", "401 -"), ("reader", "401 -"), ("writer", "200 0")):
                found = server.call(method, message, users.header(user))
                assert found == answer, (method, user, found)
        for method in (f"{api}.Execution/Execute", f"{api}.ContentAddressableStorage/SpliceBlob"):
            found = server.call(method, b"", users.header("writer"))
            assert found == "404 -", (method, found)
        update = f"{api}.ActionCache/UpdateActionResult"
        for method in (f"{update}/../GetActionResult", f"{api}.ActionCache/GetActionResult?x"):
            found = server.call(method, result, users.header("reader"))
            assert found == "404 -", (method, found)
        status, _ = server.request("GET", f"/ac/{'ab' * 32}", users.header("reader"))
        assert status == 415, f"a client over HTTP is told {status}, which it may take for a miss"
        for number in (signal.SIGTERM, signal.SIGKILL):
            code = server.end(number)
            assert code == (0 if number == signal.SIGTERM else -9), code
            server = Server("buildgrid", work / "grid", users, *options)
            found = server.call(
                f"{api}.ActionCache/GetActionResult", result, users.header("reader")
            )
            assert found == "200 0", f"the action result is gone after {number.name}: {found}"
            time.sleep(2)
        server.end()


def check_nginx(work: pathlib.Path, users: Users) -> None:
    check_access(work, users)
    check_kill_in_upload(work, users)
    check_two_writers(work, users)
    check_full_disk(work, users)


CHECKS: dict[str, Callable[[pathlib.Path, Users], None]] = {
    "nginx": check_nginx,
    "buildgrid": check_buildgrid,
    "bazel": check_bazel,
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, help="folder to work in, kept")
    parser.add_argument("checks", nargs="*", choices=[*CHECKS, []], help="default: all")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        work = arguments.work
        if work is None:
            work = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        work.mkdir(parents=True, exist_ok=True)
        users = Users(work)
        users.add("writers", "writer")
        users.add("readers", "reader")
        for name in arguments.checks or CHECKS:
            CHECKS[name](work, users)
    note("all holds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
