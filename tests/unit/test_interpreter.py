# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The end of the interpreter while threads are in tilewright, and interpreters beside the main."""

from __future__ import annotations

import pytest

from tests.support.child import run_python

RUNS = 5


@pytest.mark.parametrize("weight", [256, 255])  # of the right shape, and refused
def test_exit_while_daemon_threads_are_in_an_operator_succeeds(weight: int) -> None:
    code = (
        "import contextlib, threading, time, numpy, tilewright\n"
        f"x, weight = numpy.ones((400, 256), 'f4'), numpy.ones({weight}, 'f4')\n"
        "def work():\n"
        "    while True:\n"
        "        with contextlib.suppress(tilewright.errors.ShapeError):\n"
        "            tilewright.rms_norm(x, weight)\n"
        "for _ in range(4): threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.2)"
    )
    children = [run_python("-c", code) for _ in range(RUNS)]
    assert [(child.returncode, child.stderr) for child in children] == [(0, "")] * RUNS


def test_subinterpreter_is_refused() -> None:
    inside = (
        "import sys; sys.path[:] = {path!r}\n"
        "import tilewright\n"
        "try: tilewright.tvm.get_global_function('x')\n"
        "except tilewright.errors.LibraryNotFoundError as error: print(error, flush=True)"
    )
    code = (
        "import sys\n"
        "if sys.version_info >= (3, 13):\n"
        "    import _interpreters as interpreters\n"
        "    number = interpreters.create('legacy')\n"
        "else:\n"
        "    import _xxsubinterpreters as interpreters\n"
        "    number = interpreters.create(isolated=False)\n"
        f"interpreters.run_string(number, {inside!r}.format(path=sys.path))"
    )
    child = run_python("-c", code)
    assert "cannot be loaded in a subinterpreter\nhint: " in child.stdout, child.stderr
