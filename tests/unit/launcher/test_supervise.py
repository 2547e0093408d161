# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Bazel under bubblewrap: exit codes and signals. A shell script stands in for bubblewrap."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.launcher import errors, supervise

BWRAP = """#!/bin/sh
# Starts what follows `--` as a child and says its id, as bubblewrap does.
while [ "$1" != -- ]; do
  [ "$1" = --json-status-fd ] && fd=$2
  shift
done
shift
exec 3<&0
"$@" <&3 &
eval "echo '{ \\"child-pid\\": '$!' }' >&$fd"
wait $!
"""

RUN = """
import os, sys
from tools.launcher import supervise
sys.exit(supervise.run(sys.argv[1], [], sys.argv[2:], os.environ))
"""


@pytest.fixture
def bwrap(tmp_path: Path) -> str:
    path = tmp_path / "bwrap"
    path.write_text(BWRAP)
    path.chmod(0o755)
    return str(path)


def start(bwrap: str, script: str) -> subprocess.Popen[str]:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.Popen(
        [sys.executable, "-c", RUN, bwrap, "/bin/sh", "-c", script],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_command_gives_bazel_default_signals_back() -> None:
    assert supervise.command("/b", ["--x"], ["bazel", "info"], 7, ["INT", "TERM"]) == [
        *("/b", "--x", "--json-status-fd", "7", "--"),
        *("/usr/bin/env", "--default-signal=INT,TERM", "bazel", "info"),
    ]


def test_command_with_every_signal_ignored_by_the_caller_leaves_them_so() -> None:
    assert supervise.command("/b", [], ["bazel"], 7, [])[-2:] == ["--", "bazel"]


@pytest.mark.parametrize("code", [0, 1, 3, 37])
def test_exit_code_of_bazel_passes_through(bwrap: str, code: int) -> None:
    with start(bwrap, f"exit {code}") as process:
        process.communicate(timeout=30)
        assert process.returncode == code


def test_standard_input_and_output_reach_bazel(bwrap: str) -> None:
    with start(bwrap, "read line; echo got $line") as process:
        output, _ = process.communicate("hello\n", timeout=30)
    assert output == "got hello\n"


@pytest.mark.parametrize("name", ["TERM", "HUP"])
def test_signal_to_the_launcher_alone_reaches_bazel(bwrap: str, name: str) -> None:
    script = f"trap 'echo caught; exit 8' {name}; echo ready; while :; do sleep 0.05; done"
    with start(bwrap, script) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(getattr(signal, "SIG" + name))
        output, _ = process.communicate(timeout=30)
    assert (output, process.returncode) == ("caught\n", 8)


def test_interrupt_from_the_terminal_waits_for_bazel_to_finish(bwrap: str) -> None:
    script = "trap 'sleep 0.3; echo finished; exit 8' INT; echo ready; while :; do sleep 0.05; done"
    with start(bwrap, script) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    assert (output, process.returncode) == ("finished\n", 8)


def test_bubblewrap_that_starts_nothing_is_explained(tmp_path: Path) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\nexit 1\n")
    bwrap.chmod(0o755)
    with pytest.raises(errors.UserNamespaceError, match="could not make a namespace"):
        supervise.run(str(bwrap), [], ["/bin/true"], {})
