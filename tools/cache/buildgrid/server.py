# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The cache over gRPC: valkey, BuildGrid, and nginx at the door."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import time
from collections.abc import Callable

from tools.cache import clean, door, errors, programs, template
from tools.cache.buildgrid import blobs, packages
from tools.cache.buildgrid.valkey import Client, ValkeyError
from tools.cache.folder import Folder, as_owner
from tools.cache.nginx.server import nginx_program
from tools.cache.options import Options
from tools.cache.programs import Root
from tools.cache.supervise import Program

SCHEMES = ("grpc", "grpcs")
HERE = os.path.dirname(os.path.abspath(__file__))
ACCESS = "valkey.json"
"""Port and password of the running valkey, in the folder of the run."""

LONGEST_SOCKET_PATH = 100

RECOVERY = 15.0
"""Seconds that valkey gets to find the room."""

BUILDGRID = ("python3", "-c", "from buildgrid.server.app import cli; cli()")


def root() -> Root | None:
    """The root file system with the programs."""
    return programs.ensure_root("")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def plan(
    options: Options,
    folder: Folder,
    root: Root | None,
    certificate: tuple[str, str] | None,
) -> list[Program]:
    """Writes the configuration; gives the programs to run.

    Raises:
        OptionError: the folder's path is too long for a socket in it.
    """
    path = os.path.join(folder.run, "buildgrid.sock")
    if len(path) > LONGEST_SOCKET_PATH:
        raise errors.OptionError(
            f"`--root` is too long: a socket's path, `{path}`, may have {LONGEST_SOCKET_PATH} "
            "characters",
            "choose a folder with a shorter path",
        )
    assert root is not None
    site_packages = packages.install(root)
    with as_owner(folder) as inside:
        for name in ("index", "blobs"):
            os.makedirs(os.path.join(inside.data, name), mode=0o700, exist_ok=True)
    port, password = _free_port(), secrets.token_hex(32)
    folder.write(ACCESS, json.dumps({"port": port, "password": password}).encode())
    values = door.values(folder, options.listen, certificate, options.readers is not None)
    values.update(socket=path, port=str(port), password=password)
    configs = {
        name: template.write(os.path.join(HERE, name), values, folder, name)
        for name in ("valkey.conf", "buildgrid.yml", "nginx.conf")
    }
    sandbox = programs.sandbox(root, folder, (site_packages,))
    valkey = Program(
        name="valkey",
        command=[*sandbox, "valkey-server", configs["valkey.conf"]],
        sandboxed=True,
        owner=None,
        end=signal.SIGTERM,
        is_ready=lambda: _answers(folder),
        hint=f"a damaged index is in {folder.data}/index: valkey-check-aof mends it; without the "
        "index all is uploaded again, and the old blobs go with the next cleaning",
    )
    environment = ["env", f"PYTHONPATH={site_packages}", "PYTHONDONTWRITEBYTECODE=1"]
    buildgrid = Program(
        name="BuildGrid",
        command=[*sandbox, *environment, *BUILDGRID, "server", "start", configs["buildgrid.yml"]],
        sandboxed=True,
        owner=None,
        end=signal.SIGTERM,
        is_ready=lambda: os.path.exists(path),
        hint=f"its configuration is {configs['buildgrid.yml']}",
    )
    return [valkey, buildgrid, nginx_program(options, folder, root, configs["nginx.conf"])]


def _connect(folder: Folder) -> Client:
    with as_owner(folder) as inside, open(os.path.join(inside.run, ACCESS), "rb") as stream:
        noted = json.load(stream)
    return Client(noted["port"], noted["password"])


def _answers(folder: Folder) -> bool:
    try:
        with contextlib.closing(_connect(folder)) as client:
            reply: object = client.call("PING")
            return reply == b"PONG"
    except OSError:  # not up, or still reading its file
        return False


def begin(folder: Folder) -> None:
    """Nothing: BuildGrid checks what it gives out."""


def note_usage(folder: Folder, send: Callable[[signal.Signals], None]) -> None:
    """Nothing: the index notes what is used."""


def shrink(folder: Folder, most: int, age: float) -> clean.Outcome:
    """Removes what was not used for `age` seconds, and what is above `most` bytes.

    Raises:
        FolderError: the server does not run.
    """
    try:
        client = _connect(folder)
    except OSError as error:
        raise errors.FolderError(
            f"the index does not answer: {error.strerror or error}",
            "clean while `serve buildgrid` runs on the folder",
        ) from None
    with contextlib.closing(client):
        _make_room(folder, client)
        return blobs.shrink(folder.data, client, most, age)


def _make_room(folder: Folder, client: Client) -> None:
    """Gives the reserve up if valkey refuses changes, which it cannot write to the full disk.

    Room for a hundred thousand deletions; the first of them make more.
    """
    deadline = time.monotonic() + RECOVERY
    while True:
        try:
            client.call("DEL", "")
            return
        except ValkeyError:
            if time.monotonic() > deadline:
                raise
        with contextlib.suppress(FileNotFoundError):
            os.unlink(folder.reserve)
        time.sleep(0.5)  # valkey tries again each second
