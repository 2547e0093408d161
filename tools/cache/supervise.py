# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the server programs in the foreground: starts, readiness, signals, an orderly end."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tools.cache import errors
from tools.cache.folder import become
from tools.launcher.progress import say

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD)
END_TIMEOUT = 15.0
"""Seconds that a program gets for its orderly end."""
READY_TIMEOUT = 60.0
PR_SET_PDEATHSIG = 1


class Program(NamedTuple):
    """A server program.

    Attributes:
        name: for messages.
        command: its command line.
        sandboxed: the command starts with bubblewrap, to which no signal is of use.
        owner: user and group to run as, when this is root; None if the command sees to that.
        end: the signal for an orderly end.
        is_ready: whether it takes connections by now.
        hint: what to look at when it ends by itself.
    """

    name: str
    command: Sequence[str]
    sandboxed: bool
    owner: tuple[int, int] | None
    end: signal.Signals
    is_ready: Callable[[], bool]
    hint: str


class Running:
    """A program that runs."""

    def __init__(self, program: Program) -> None:
        self.program = program
        command = list(program.command)
        read_fd, write_fd = os.pipe()
        if program.sandboxed:
            os.set_inheritable(write_fd, True)
            command[1:1] = ["--json-status-fd", str(write_fd)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=2,
            close_fds=True,
            pass_fds=(write_fd,) if program.sandboxed else (),
            preexec_fn=self._prepare,
            start_new_session=True,  # a Ctrl-C reaches this program alone, which passes it on
        )
        os.close(write_fd)
        self._inner: int | None = None
        # Open for as long as bubblewrap may write to it.
        self._status = open(read_fd, "rb")  # noqa: SIM115
        if program.sandboxed:
            line = self._status.readline()
            self._inner = json.loads(line).get("child-pid") if line else None

    def _prepare(self) -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        if self.program.owner is not None:
            become(self.program.owner)
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    def poll(self) -> int | None:
        """Exit code, or None while it runs."""
        return self._process.poll()

    def send(self, number: signal.Signals) -> None:
        """Sends a signal to the program itself, not to bubblewrap around it."""
        target: int | None = self._process.pid
        if self.program.sandboxed:
            # bubblewrap's own process 1 is in between.
            target = child_of(self._inner) if self._inner is not None else None
        if target is not None and self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(target, number)

    def end(self) -> None:
        """Ends it in order; after a while, without."""
        self.send(self.program.end)
        try:
            self._process.wait(timeout=END_TIMEOUT)
        except subprocess.TimeoutExpired:
            say(f"tilewright: {self.program.name} does not end; killing it")
            self._process.kill()
            self._process.wait()
        self._status.close()


def child_of(parent: int) -> int | None:
    """Process id of a child of `parent`."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stream:
                # The name, in parentheses, may hold anything.
                fields = stream.read().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                return int(name)
    return None


def run(
    programs: Sequence[Program],
    on_ready: Callable[[], None],
    on_hangup: Callable[[Callable[[signal.Signals], None]], None],
    maintain: Callable[[Callable[[signal.Signals], None], threading.Event], None],
) -> None:
    """Runs programs until a signal ends them; the last is the one that clients talk to.

    Args:
        programs: started in this order, each when the one before is ready; ended in reverse.
        on_ready: called once, when all are ready.
        on_hangup: called at SIGHUP, with what sends a signal to the last program.
        maintain: runs in a thread meanwhile, with the same and an event that ends it.

    Raises:
        ServerError: a program ended by itself, or does not get ready.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    running: list[Running] = []
    stopping = threading.Event()
    thread: threading.Thread | None = None
    try:
        for program in programs:
            running.append(Running(program))
            if not _wait_until_ready(running):
                return
        front = running[-1]
        thread = threading.Thread(target=maintain, args=(front.send, stopping), daemon=True)
        thread.start()
        on_ready()
        while True:
            number = _next_signal(running, 60.0)
            if _asks_for_the_end(number):
                return
            if number == signal.SIGHUP:
                on_hangup(front.send)
    finally:
        stopping.set()
        for program_running in reversed(running):
            program_running.end()
        if thread is not None:
            thread.join(timeout=END_TIMEOUT)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _next_signal(running: Sequence[Running], timeout: float) -> int | None:
    """Waits for a signal; raises ServerError if a program has ended."""
    received = signal.sigtimedwait(SIGNALS, timeout)
    for one in running:
        code = one.poll()
        if code is not None:
            raise errors.ServerError(
                f"{one.program.name} ended by itself with exit code {code}; its messages are above",
                one.program.hint,
            )
    return received.si_signo if received is not None else None


def _wait_until_ready(running: Sequence[Running]) -> bool:
    """Waits for the last program; false if a signal asked for the end."""
    program = running[-1].program
    deadline = time.monotonic() + READY_TIMEOUT
    while not program.is_ready():
        if _asks_for_the_end(_next_signal(running, 0.1)):
            return False
        if time.monotonic() > deadline:
            raise errors.ServerError(
                f"{program.name} takes no connections after {READY_TIMEOUT:.0f} s", program.hint
            )
    # Somebody else may be the one who takes connections.
    return not _asks_for_the_end(_next_signal(running, 0.01))


def _asks_for_the_end(number: int | None) -> bool:
    if number not in (signal.SIGTERM, signal.SIGINT):
        return False
    say(f"tilewright: {signal.Signals(number).name} received, ending")
    return True
