# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""BuildGrid: its configuration as it is written, its programs, its lock."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.cache import errors
from tools.cache.buildgrid import packages, server, valkey
from tools.cache.clean import Outcome
from tools.cache.door import Address
from tools.cache.folder import Folder
from tools.cache.options import Options
from tools.cache.programs import Root
from tools.launcher.host import Host

HOST = Host(1000, "u", "/home/u", "/home/u/.cache/tilewright", "/", None, "/w")
ROOT = Root("/roots/r", "/usr/bin/bwrap", HOST)
API = "/build.bazel.remote.execution.v2"


def options(root: str) -> Options:
    return Options(root, Address("::", 8980), None, None, False, "/w", None, 1, 1.0, 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    root = tmp_path / "c"
    for name in ("run", "data"):
        (root / name).mkdir(parents=True)
    monkeypatch.setattr(packages, "install", lambda _: "/packages")
    monkeypatch.setattr(server, "LONGEST_SOCKET_PATH", 1000)
    return Folder(str(root))


def test_plan_starts_the_index_then_buildgrid_then_the_door(folder: Folder) -> None:
    programs = server.plan(options(folder.root), folder, ROOT, None)
    assert [program.name for program in programs] == ["valkey", "BuildGrid", "nginx"]
    assert all(program.command[0] == "/usr/bin/bwrap" for program in programs)
    assert "PYTHONPATH=/packages" in programs[1].command


def test_configuration_keeps_the_inside_closed(folder: Folder) -> None:
    server.plan(options(folder.root), folder, ROOT, None)
    run = Path(folder.run)
    valkey, buildgrid, nginx = (
        (run / name).read_text() for name in ("valkey.conf", "buildgrid.yml", "nginx.conf")
    )
    (password,) = re.findall(r"^requirepass ([0-9a-f]{64})$", valkey, re.MULTILINE)
    assert f"password: {password}" in buildgrid
    assert "bind 127.0.0.1\n" in valkey
    assert f"address: unix:{folder.run}/buildgrid.sock" in buildgrid
    assert f"server unix:{folder.run}/buildgrid.sock;" in nginx
    for name in ("valkey.conf", "buildgrid.yml", "nginx.conf", server.ACCESS):
        assert (run / name).stat().st_mode & 0o777 == 0o600, name


@pytest.mark.parametrize(
    ("call", "who"),
    [
        (f"{API}.Capabilities/GetCapabilities", "readers"),
        (f"{API}.ActionCache/GetActionResult", "readers"),
        (f"{API}.ContentAddressableStorage/FindMissingBlobs", "readers"),
        (f"{API}.ContentAddressableStorage/BatchReadBlobs", "readers"),
        (f"{API}.ContentAddressableStorage/GetTree", "readers"),
        ("/google.bytestream.ByteStream/Read", "readers"),
        (f"{API}.ActionCache/UpdateActionResult", "writers"),
        (f"{API}.ContentAddressableStorage/BatchUpdateBlobs", "writers"),
        ("/google.bytestream.ByteStream/Write", "writers"),
        ("/google.bytestream.ByteStream/QueryWriteStatus", "writers"),
        (f"{API}.Execution/Execute", None),
        (f"{API}.ActionCache/GetActionResult/x", None),
    ],
)
def test_door_asks_for_the_right_password(folder: Folder, call: str, who: str | None) -> None:
    server.plan(options(folder.root)._replace(readers="/r"), folder, ROOT, None)
    text = Path(folder.run, "nginx.conf").read_text()
    asked = [
        re.findall(r'auth_basic "(\w+)"', block)
        for pattern, block in re.findall(r'location ~ "([^"]*)" \{(.*?)\}', text, re.DOTALL)
        if re.search(pattern, call)
    ]
    assert asked == ([[who]] if who else [])


def test_folder_too_deep_for_a_socket_is_refused(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LONGEST_SOCKET_PATH", 10)
    with pytest.raises(errors.OptionError, match="`--root` is too long: a socket's path"):
        server.plan(options(folder.root), folder, ROOT, None)


def test_clean_without_a_running_server_says_so(folder: Folder) -> None:
    with pytest.raises(errors.FolderError) as caught:
        server.shrink(folder, 1, 1.0)
    assert str(caught.value) == (
        "the index does not answer: No such file or directory\n"
        "  hint: clean while `serve buildgrid` runs on the folder"
    )


class FullDisk:
    """A valkey that refuses changes while the reserve is there."""

    def __init__(self, folder: Folder) -> None:
        self.reserve = Path(folder.reserve)

    def call(self, *words: str) -> int:
        if self.reserve.exists():
            raise valkey.ValkeyError("valkey: MISCONF No space left on device")
        return 0

    def close(self) -> None:
        pass


def test_clean_on_a_full_disk_gives_the_reserve_up_first(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = FullDisk(folder)
    full.reserve.write_bytes(b"x")
    seen = []

    def shrink(_data: str, _client: object, _most: int, _age: float) -> Outcome:
        seen.append(full.reserve.exists())
        return Outcome(0, 0, 0)

    monkeypatch.setattr(server, "_connect", lambda _: full)
    monkeypatch.setattr("tools.cache.buildgrid.blobs.shrink", shrink)
    monkeypatch.setattr("time.sleep", lambda _: None)
    server.shrink(folder, 1, 1.0)
    assert seen == [False]


def test_lock_pins_every_package_by_hash() -> None:
    lines = [
        line for line in Path(packages.LOCK).read_text().splitlines() if not line.startswith("#")
    ]
    assert any(line.startswith("buildgrid==") for line in lines)
    for line in lines:
        assert re.match(r"[a-z0-9-]+==\S+ --hash=sha256:[0-9a-f]{64}  # via ", line), line
