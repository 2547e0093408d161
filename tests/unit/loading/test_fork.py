# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A process that forks while another thread of it loads a library."""

from __future__ import annotations

from tests.support.installation import NOTHING_RAISED
from tests.unit.loading.machine import Machine


def test_fork_while_cuda_is_being_loaded_leaves_the_child_working(machine: Machine) -> None:
    code = """
import os, signal, threading, time, warnings
from tilewright._internal.extension import extension
warnings.simplefilter("ignore")
native = extension()
thread = threading.Thread(target=native.cuda_load)
thread.start()
time.sleep(1)
process = os.fork()
if process == 0:
    signal.alarm(30)  # ends a child that waits for a lock
    native.cuda_load()
    os._exit(0)
assert os.waitpid(process, 0)[1] == 0
thread.join()
"""
    assert machine.error(code, FAKE_CUDA_DRIVER_SECONDS="3") == NOTHING_RAISED
