# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs run, get ready, are told of signals, and end in order."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.cache import errors, supervise
from tools.cache.supervise import Program

Send = Callable[[signal.Signals], None]


def program(tmp_path: Path, name: str, code: str) -> Program:
    ready = tmp_path / f"{name}.ready"
    script = (
        "import os, signal, sys, time\n"
        f"log = open({str(tmp_path / 'log')!r}, 'a', buffering=1)\n"
        "def on(number, frame):\n"
        f"    log.write('{name} %s\\n' % signal.Signals(number).name)\n"
        "    if number != signal.SIGHUP: sys.exit(0)\n"
        "for number in (signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP): signal.signal(number, on)\n"
        f"open({str(ready)!r}, 'w').close()\n"
        f"{code}\n"
    )
    return Program(
        name=name,
        command=[sys.executable, "-c", script],
        sandboxed=False,
        owner=None,
        end=signal.SIGQUIT,
        is_ready=ready.exists,
        hint=f"look at {name}",
    )


WAIT = "while True: time.sleep(0.05)"


def run(programs: list[Program], at_ready: Callable[[], None] = lambda: None) -> None:
    def hangup(send: Send) -> None:
        send(signal.SIGHUP)

    def maintain(_send: Send, stopping: threading.Event) -> None:
        stopping.wait(30)

    supervise.run(programs, at_ready, hangup, maintain)


def test_term_ends_programs_in_reverse_order(tmp_path: Path) -> None:
    programs = [program(tmp_path, name, WAIT) for name in ("back", "front")]
    run(programs, lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert (tmp_path / "log").read_text() == "front SIGQUIT\nback SIGQUIT\n"


def test_hangup_reaches_the_front_and_does_not_end_it(tmp_path: Path) -> None:
    def at_ready() -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGTERM)).start()

    run([program(tmp_path, name, WAIT) for name in ("back", "front")], at_ready)
    assert (tmp_path / "log").read_text() == "front SIGHUP\nfront SIGQUIT\nback SIGQUIT\n"


def test_program_that_ends_by_itself_ends_all_and_is_named(tmp_path: Path) -> None:
    programs = [
        program(tmp_path, "back", "time.sleep(0.5); os._exit(7)"),
        program(tmp_path, "front", WAIT),
    ]
    with pytest.raises(errors.ServerError) as caught:
        run(programs)
    assert str(caught.value) == (
        "back ended by itself with exit code 7; its messages are above\n  hint: look at back"
    )
    assert (tmp_path / "log").read_text() == "front SIGQUIT\n"


def test_program_that_never_gets_ready_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise, "READY_TIMEOUT", 0.5)
    slow = program(tmp_path, "slow", WAIT)._replace(is_ready=lambda: False)
    with pytest.raises(errors.ServerError, match="slow takes no connections after"):
        run([slow])


def test_program_that_does_not_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise, "END_TIMEOUT", 0.5)
    deaf = program(tmp_path, "deaf", "signal.signal(signal.SIGQUIT, signal.SIG_IGN)\n" + WAIT)
    started = time.monotonic()
    run([deaf], lambda: threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM)).start())
    assert time.monotonic() - started < 10


def test_child_of_finds_a_process_by_its_parent() -> None:
    found = supervise.child_of(os.getppid())
    assert found is not None
    assert supervise.child_of(2**22 + 1) is None
