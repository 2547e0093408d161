# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Running mmdebstrap: its command, its progress, its failures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.launcher import errors, mmdebstrap
from tools.launcher import host as host_facts
from tools.launcher.host import Host
from tools.launcher.progress import Progress
from tools.launcher.rootfs import Recipe

RECIPE = Recipe("forky", ("bazel-bootstrap", "g++"))


@pytest.fixture(autouse=True)
def no_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TILEWRIGHT_DEBIAN_MIRROR", raising=False)


def test_command_as_root_fills_a_folder_in_namespaces_of_its_own() -> None:
    command = mmdebstrap.command_line("/usr/bin/mmdebstrap", RECIPE, 0, "/cache/root")
    assert command[0] == "unshare"
    assert {"--mount", "--pid", "--kill-child"} < set(command)
    assert "--mode=root" in command
    assert command[-2:] == ["forky", "/cache/root"]


def test_command_as_user_writes_a_tar() -> None:
    command = mmdebstrap.command_line("/usr/bin/mmdebstrap", RECIPE, 1000, "/cache/root")
    assert command[0] == "/usr/bin/mmdebstrap"
    assert {"--mode=unshare", "--format=tar"} < set(command)
    assert command[-2:] == ["forky", "-"]


def test_command_names_packages_and_no_mirror() -> None:
    command = mmdebstrap.command_line("mmdebstrap", RECIPE, 0, "/root")
    assert "--include=bazel-bootstrap,g++" in command
    assert not any("://" in word for word in command)


def test_command_with_mirror_setting_ends_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_DEBIAN_MIRROR", "http://mirror.example/debian")
    command = mmdebstrap.command_line("mmdebstrap", RECIPE, 0, "/root")
    assert command[-1] == "http://mirror.example/debian"


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("I: downloading packages with apt...", "downloading packages with apt"),
        ("I: success in 43.2 seconds", ""),
        ("W: something...", ""),
        ("I: main() received signal PIPE: waiting for setup...", ""),
        ("", ""),
    ],
)
def test_step_name_is_taken_from_announcements_only(line: str, step: str) -> None:
    assert mmdebstrap.step_name(line) == step


def test_failure_of_the_network_names_the_line_and_the_settings() -> None:
    lines = [
        "I: running apt-get update...",
        "Err:1 http://mirror.example forky InRelease",
        "  Temporary failure resolving 'mirror.example'",
        "E: apt-get update failed",
    ]
    error = mmdebstrap.explain_failure(25, lines, "/cache/k.log")
    assert isinstance(error, errors.NetworkError)
    assert error.message.endswith("Temporary failure resolving 'mirror.example'")
    assert "http_proxy" in error.hint
    assert "/cache/k.log" in error.hint


def test_failure_of_a_signature_names_the_keyring() -> None:
    error = mmdebstrap.explain_failure(25, ["W: NO_PUBKEY 0123", "E: failed"], "/cache/k.log")
    assert isinstance(error, errors.BootstrapError)
    assert "apt-get install debian-archive-keyring" in error.hint


def test_failure_of_another_kind_quotes_the_last_error_and_the_log() -> None:
    lines = ["unpacking debian-archive-keyring", "E: first", "E: setup failed", "done"]
    error = mmdebstrap.explain_failure(2, lines, "/cache/k.log")
    assert type(error) is errors.BootstrapError
    assert error.message == "`mmdebstrap` ended with exit code 2: E: setup failed"
    assert "/cache/k.log" in error.hint


def make_host(tmp_path: Path, uid: int) -> Host:
    (tmp_path / "cache/rootfs").mkdir(parents=True)
    return Host(uid, "ada", str(tmp_path), str(tmp_path / "cache"), "/", None, "/ws")


def stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    program = tmp_path / "mmdebstrap"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)
    monkeypatch.setattr(mmdebstrap, "NAMESPACES", ())
    monkeypatch.setattr(host_facts, "find_program", lambda _: str(program))


def test_run_as_root_reports_steps_and_keeps_a_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in(
        monkeypatch,
        tmp_path,
        'for last; do :; done; mkdir "$last"; echo made > "$last/file"\n'
        'echo "I: extracting archives..." >&2; printf "I: no newline..." >&2\n',
    )
    host = make_host(tmp_path, 0)
    shown: list[str] = []
    target = tmp_path / "target"
    mmdebstrap.run(host, RECIPE, str(target), "", 2, Progress(shown.append))
    assert (target / "file").read_text() == "made\n"
    assert [line.split("] ")[1] for line in shown] == [
        "extracting archives",
        "no newline",
    ]
    log = Path(host.roots) / f"{RECIPE.key}.log"
    assert log.read_text() == "I: extracting archives...\nI: no newline...\n"


def test_run_as_user_unpacks_the_tar_without_devices(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in(
        monkeypatch,
        tmp_path,
        'mkdir -p "$TMPDIR/r/dev" "$TMPDIR/r/usr"; echo x > "$TMPDIR/r/usr/file"\n'
        'chmod 750 "$TMPDIR/r/usr"; : > "$TMPDIR/r/dev/null"; exec tar -c -C "$TMPDIR/r" .\n',
    )
    target, work = tmp_path / "target", tmp_path / "work"
    work.mkdir()
    host = make_host(tmp_path, 1000)
    mmdebstrap.run(host, RECIPE, str(target), str(work), 2, Progress())
    assert (target / "usr/file").read_text() == "x\n"
    assert (target / "usr").stat().st_mode & 0o777 == 0o750
    assert list((target / "dev").iterdir()) == []


def test_run_failing_as_user_midway_raises(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stand_in(monkeypatch, tmp_path, 'echo "E: disk full" >&2; exit 3\n')
    host = make_host(tmp_path, 1000)
    with pytest.raises(errors.BootstrapError, match="exit code 3: E: disk full"):
        mmdebstrap.run(host, RECIPE, str(tmp_path / "target"), str(tmp_path), 2, Progress())


def test_progress_in_a_silent_step_names_it_again() -> None:
    shown: list[str] = []
    progress = Progress(shown.append, interval=0.0)
    progress.step("installing")
    progress.alive()
    assert shown == [
        "tilewright: [   0 s] installing",
        "tilewright: [   0 s] installing (still running)",
    ]


def test_progress_within_the_interval_is_silent() -> None:
    shown: list[str] = []
    progress = Progress(shown.append, interval=60.0)
    progress.step("installing")
    progress.alive()
    assert len(shown) == 1
