# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Run Bazel in bubblewrap: signals go in, the exit code comes out."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Mapping, Sequence
from types import FrameType

FORWARDED = (signal.SIGHUP, signal.SIGTERM)
"""Sent to the launcher alone by `kill` or a CI system; it passes them on to Bazel."""

TERMINAL = (signal.SIGINT, signal.SIGQUIT)
"""Sent by the terminal to the whole process group: Bazel has them already."""


def command(
    bwrap: str, options: Sequence[str], bazel: Sequence[str], status_fd: int, reset: Sequence[str]
) -> list[str]:
    """Full command line.

    bubblewrap stays as Bazel's parent and would die of a Ctrl-C before Bazel has finished
    cancelling, so it ignores the signals, and `env` gives Bazel their defaults back.

    Args:
        bwrap: absolute path of bubblewrap.
        options: its options.
        bazel: Bazel's command line, inside.
        status_fd: where bubblewrap writes the id of its child.
        reset: names of the signals whose default Bazel gets back.
    """
    prefix = ["/usr/bin/env", "--default-signal=" + ",".join(reset)] if reset else []
    return [bwrap, *options, "--json-status-fd", str(status_fd), "--", *prefix, *bazel]


def run(
    bwrap: str, options: Sequence[str], bazel: Sequence[str], environ: Mapping[str, str]
) -> int:
    """Run Bazel and return its exit code (128 + n after signal n).

    Raises:
        UserNamespaceError: bubblewrap ended without starting a process; it has said why.
    """
    signals = [
        number for number in (*FORWARDED, *TERMINAL) if signal.getsignal(number) != signal.SIG_IGN
    ]
    read_fd, write_fd = os.pipe()
    os.set_inheritable(write_fd, True)
    argv = command(bwrap, options, bazel, write_fd, [number.name[3:] for number in signals])
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    child = os.fork()
    if child == 0:
        for number in signals:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
        try:
            os.execve(bwrap, argv, dict(environ))
        finally:
            os._exit(127)
    os.close(write_fd)
    inner = _inner_pid(read_fd)

    def forward(number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(inner if inner is not None else child, number)

    before = {
        number: signal.signal(number, forward if number in FORWARDED else signal.SIG_IGN)
        for number in signals
    }
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
    _, status = os.waitpid(child, 0)
    for number, handler in before.items():
        signal.signal(number, handler)
    if inner is None and os.WIFEXITED(status):
        from tools.launcher import errors, requirements

        raise errors.UserNamespaceError(
            f"`{bwrap}` could not make a namespace (its message is above)",
            requirements.namespace_hint(os.getuid()),
        )
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def _inner_pid(read_fd: int) -> int | None:
    """Process id of bubblewrap's child from its status stream; None if it did not start."""
    text = b""
    while b"\n" not in text:
        chunk = os.read(read_fd, 4096)
        if not chunk:
            return None
        text += chunk
    try:
        return int(json.loads(text.splitlines()[0])["child-pid"])
    except (KeyError, ValueError):
        return None
