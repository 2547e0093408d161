# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tools.wheel.archive.command import command, write_text
from tools.wheel.archive.errors import FileAccessError, WheelNameError

PROGRAM = """
import sys
from tools.wheel.archive.command import command

@command("tool")
def main():
    print("n\u00e4me", "-" * int(sys.argv[1]))
    return 3

sys.exit(main())
"""


def _run(stdout: int, size: int, **environment: str) -> subprocess.CompletedProcess[bytes]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(size)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        env={**os.environ, "PYTHONPATH": paths, **environment},
    )


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_command_full_stdout_is_told(size: int) -> None:
    with Path("/dev/full").open("wb") as full:
        done = _run(full.fileno(), size)
    assert done.returncode == FileAccessError.exit_code
    assert done.stderr.startswith(b"tool: [Errno 28] No space left on device\nhint: ")
    assert done.stderr.count(b"\n") == 2


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_command_closed_stdout_is_told(size: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = _run(writing, size)
    os.close(writing)
    assert done.returncode == FileAccessError.exit_code
    assert done.stderr.startswith(b"tool: [Errno 32] Broken pipe\nhint: ")
    assert done.stderr.count(b"\n") == 2


def test_command_escapes_what_the_encoding_lacks() -> None:
    done = _run(subprocess.PIPE, 1, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout, done.stderr) == (3, b"n\\xe4me -\n", b"")


def test_command_errors_become_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    @command("tool")
    def main(error: Exception) -> int:
        raise error

    assert main(WheelNameError("what", hint="fix")) == WheelNameError.exit_code
    assert capsys.readouterr().err == "tool: what\nhint: fix\n"
    assert main(PermissionError(13, "denied", "/x")) == FileAccessError.exit_code
    assert capsys.readouterr().err.startswith("tool: [Errno 13] denied: '/x'\nhint: ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_command_that_is_ended_removes_what_is_temporary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    @command("tool")
    def main() -> int:
        with tempfile.TemporaryDirectory(dir=tmp_path):
            signal.raise_signal(number)
        return 0

    before = signal.getsignal(number)
    assert main() == 128 + number
    assert capsys.readouterr().err == f"tool: ended by {number.name}\n"
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(number) is before


def test_command_signal_that_the_caller_handles_is_left_to_it() -> None:
    @command("tool")
    def main() -> int:
        signal.raise_signal(signal.SIGHUP)
        return 3

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert main() == 3
    finally:
        signal.signal(signal.SIGHUP, before)


def test_write_text_replaces_the_file_in_one_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, link = tmp_path / "a", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert (target.read_text(), link.is_symlink()) == ("new", True)

    def fail(path: Path, other: Path) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="full"):
        write_text(target, "newer")
    assert target.read_text() == "new"
    assert sorted(tmp_path.iterdir()) == [target, link]


def test_write_text_writes_to_devices() -> None:
    write_text(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()
