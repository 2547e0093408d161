# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Each case in a process of its own: it forks, and its thread pool must not be the tests'."""

from __future__ import annotations

import pytest

from tests.support.child import run_python

COMMON = """
import os, sys, threading, warnings
import numpy
from tilewright import tvm
warnings.simplefilter("ignore")
fill = tvm.load_module(sys.argv[1])["fill"]

def works():
    out = numpy.zeros(2, numpy.float32)
    fill(out)
    return out.tolist() == [1, 2]

def threads():
    return len(os.listdir("/proc/self/task"))

def child(body):
    process = os.fork()
    if process == 0:
        body()
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
"""

CHILD_USES_POOL = """
before = threads()
assert works()
assert threads() > before, "no thread pool to lose"
def body():
    sys.exit(0 if works() and works() else 3)
assert child(body) == 0
assert works()
"""

CHILD_ONLY_EXITS = """
assert works()
assert child(sys.exit) == 0
"""

CHILD_OF_CHILD = """
assert works()
def body():
    sys.exit(child(lambda: sys.exit(0 if works() else 3)) or (0 if works() else 4))
assert child(body) == 0
"""

OTHER_THREAD_FORKS = """
assert works()
results = []
def body():
    ok = works()
    os._exit(0 if ok else 3)
thread = threading.Thread(target=lambda: results.append((works(), child(body))))
thread.start()
thread.join()
assert results == [(True, 0)], results
"""


@pytest.mark.parametrize(
    "code",
    [CHILD_USES_POOL, CHILD_ONLY_EXITS, CHILD_OF_CHILD, OTHER_THREAD_FORKS],
    ids=["child_uses_pool", "child_only_exits", "child_of_child", "other_thread_forks"],
)
def test_fork_after_parallel_function_child_works(parallel_path: str, code: str) -> None:
    result = run_python("-c", COMMON + code, parallel_path, environment={"TVM_NUM_THREADS": "2"})
    assert result.returncode == 0, result.stdout + result.stderr


def test_parallel_function_leaves_affinity_alone(parallel_path: str) -> None:
    code = COMMON + (
        "chosen = {max(os.sched_getaffinity(0))}\n"
        "os.sched_setaffinity(0, chosen)\n"
        "assert works()\n"
        "assert os.sched_getaffinity(0) == chosen\n"
    )
    result = run_python("-c", code, parallel_path, environment={"TVM_NUM_THREADS": "2"})
    assert result.returncode == 0, result.stdout + result.stderr
