# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Pinned Debian packages, with a stand-in for apt-get and packages of a few bytes."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="no dpkg-deb here")


def tar(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def deb(files: dict[str, bytes]) -> bytes:
    control = b"Package: tiny\nVersion: 1\nArchitecture: amd64\nMaintainer: x\nDescription: x\n"
    members = {
        "debian-binary": b"2.0\n",
        "control.tar": tar({"./control": control}),
        "data.tar": tar(files),
    }
    result = b"!<arch>\n"
    for name, content in members.items():
        result += f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
        result += content + b"\n" * (len(content) % 2)
    return result


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILEWRIGHT_DEBIAN_MIRROR", "http://mirror.example/debian")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    (tmp_path / "bin").mkdir()
    return tmp_path


def stand_in(folder: Path, script: str) -> None:
    path = folder / "bin/apt-get"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)


def lock(folder: Path, *accepted: str) -> None:
    content = {"suite": "trixie", "components": ["main"], "packages": {"tiny=1": accepted}}
    (folder / "lock.json").write_text(json.dumps(content))


def test_package_with_accepted_digest_is_unpacked(folder: Path, fetch_debs: ModuleType) -> None:
    content = deb({"./usr/include/tiny.h": b"#pragma once\n"})
    (folder / "tiny_1_amd64.deb").write_bytes(content)
    stand_in(folder, f'case " $* " in *" download "*) cp {folder}/*.deb . ;; esac\n')
    lock(folder, "0" * 64, hashlib.sha256(content).hexdigest())
    fetch_debs.main("lock.json", "download", "tree")
    assert (folder / "tree/usr/include/tiny.h").read_bytes() == b"#pragma once\n"
    source = (folder / "download/apt/sources.list").read_text()
    assert source.endswith(" http://mirror.example/debian trixie main\n")


def test_package_with_other_digest_is_refused_and_both_are_named(
    folder: Path, fetch_debs: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    content = deb({"./x": b""})
    (folder / "tiny_1_amd64.deb").write_bytes(content)
    stand_in(folder, f'case " $* " in *" download "*) cp {folder}/*.deb . ;; esac\n')
    lock(folder, "0" * 64)
    with pytest.raises(SystemExit, match="1"):
        fetch_debs.main("lock.json", "download", "tree")
    error = capsys.readouterr().err
    assert f"`tiny=1`: `tiny_1_amd64.deb` has sha256:{hashlib.sha256(content).hexdigest()}" in error
    assert "0" * 64 in error
    assert not (folder / "tree/x").exists()


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("E: Version '1' for 'tiny' was not found", "hint: the archive has replaced a version"),
        ("E: Failed to fetch http://x  Could not resolve 'x'", "hint: check the network"),
    ],
)
def test_failing_apt_is_told_by_what_it_says(
    folder: Path,
    fetch_debs: ModuleType,
    capsys: pytest.CaptureFixture[str],
    message: str,
    hint: str,
) -> None:
    stand_in(folder, f'echo "{message}" >&2; exit 100\n')
    lock(folder, "0" * 64)
    with pytest.raises(SystemExit, match="1"):
        fetch_debs.main("lock.json", "download", "tree")
    error = capsys.readouterr().err
    assert message in error
    assert hint in error
    assert error.count("hint: ") == 1
