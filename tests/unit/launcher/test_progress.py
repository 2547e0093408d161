# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Progress of the bootstrap, where nobody listens."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = r"""
from tools.launcher.progress import Progress, say
progress = Progress(interval=0.0)
progress.step("one")
progress.alive()
say("two \u00e9 \udcff")
print("done")
"""


def run(redirection: str = "", stderr: int = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
    path = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
    return subprocess.run(
        ["/bin/bash", "-c", f'exec "$0" -c "$1" {redirection}', sys.executable, PROGRAM],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=stderr,
        check=False,
        timeout=60,
    )


def test_progress_goes_to_standard_error() -> None:
    result = run()
    assert (result.returncode, result.stdout) == (0, b"done\n")
    assert result.stderr.endswith(b"one (still running)\ntwo \xc3\xa9 \xff\n")


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_progress_that_cannot_be_written_stops_nothing(redirection: str) -> None:
    result = run(redirection)
    assert (result.returncode, result.stdout) == (0, b"done\n")


def test_progress_into_a_closed_pipe_stops_nothing() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = run(stderr=write_end)
    os.close(write_end)
    assert (result.returncode, result.stdout) == (0, b"done\n")
