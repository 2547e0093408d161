# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs one command and says what it took, its child processes included."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_INTERVAL = 0.02
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Cost:
    """What one run took."""

    seconds: float
    #: Of all processors together.
    cpu_seconds: float
    #: Most memory that its processes had resident at one time, in bytes.
    memory: int


class CommandError(Exception):
    """A measured command failed."""


def measure(command: Sequence[str], environment: Mapping[str, str]) -> Cost:
    """Run a command.

    The calling process must be small: until a child has replaced itself, the caller's memory
    counts as its own.

    Raises:
        CommandError: it failed.
    """
    start = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    sampler = _MemorySampler(process.pid)
    sampler.start()
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    sampler.stop()
    if process.returncode:
        raise CommandError(f"{' '.join(command)} ended with {process.returncode}:\n{errors}")
    # The kernel's mark of the biggest single process catches what falls between two samples.
    memory = max(sampler.peak, usage.ru_maxrss * 1024)
    return Cost(seconds, usage.ru_utime + usage.ru_stime, memory)


class _MemorySampler(threading.Thread):
    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._stopped = threading.Event()
        self.peak = 0

    def run(self) -> None:
        while not self._stopped.wait(_INTERVAL):
            self.peak = max(self.peak, _resident(self._root))

    def stop(self) -> None:
        self._stopped.set()
        self.join()


def _resident(process: int) -> int:
    """Resident bytes of a process and its descendants; 0 for one that has ended."""
    folder = Path("/proc") / str(process)
    try:
        pages = int((folder / "statm").read_text().split()[1])
        children = [
            int(child)
            for task in (folder / "task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except (OSError, IndexError):
        return 0
    return pages * _PAGE + sum(_resident(child) for child in children)
