# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Progress on standard error: step name and elapsed seconds."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable

LONGEST_PAUSE = 60.0


def say(line: str) -> None:
    """Print a line on standard error. One that nobody can receive is dropped.

    Unbuffered: what Python keeps for a closed pipe it tries again at exit, whose code is then 120.
    """
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            os.write(sys.stderr.fileno(), (line + "\n").encode(errors="surrogateescape"))


class Progress:
    """Prints one line a step, and a sign of life in between.

    Args:
        show: prints a line.
        interval: seconds of silence after which the running step is named again; it doubles with
            each repetition, up to a minute.
    """

    def __init__(self, show: Callable[[str], None] = say, interval: float = 15.0) -> None:
        self._show = show
        self._interval = self._pause = interval
        self._start = time.monotonic()
        self._last = self._start
        self._step = "starting"

    def step(self, name: str) -> None:
        """Name the step that begins now."""
        self._step = name
        self._pause = self._interval
        self._print(name)

    def alive(self) -> None:
        """Say that the step goes on, if nothing was printed for a while. Call it often."""
        if time.monotonic() - self._last >= self._pause:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._print(f"{self._step} (still running)")

    def _print(self, text: str) -> None:
        self._last = time.monotonic()
        self._show(f"tilewright: [{self._last - self._start:4.0f} s] {text}")
