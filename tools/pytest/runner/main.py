# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Main program of every `pytest_test` target."""

import os
import signal
import sys
from collections.abc import Callable

import pytest

from tools.pytest.runner import settings
from tools.pytest.runner.bazel_plugin import BazelPlugin


def run_to_its_end(body: Callable[[], int]) -> int:
    """Runs `body` in a forked process: ending the process must not pass for a success.

    Returns:
        The exit code of `body`, or 1 if the process ended with 0 before `body` did.
    """
    finished, finish = os.pipe()
    child = os.fork()
    if child == 0:
        code = body()
        os.write(finish, b"\n")
        return code
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child gets it as well, and reports
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.set_blocking(finished, False)
    os.close(finish)
    try:
        ended_by_itself = bool(os.read(finished, 1))
    except BlockingIOError:
        ended_by_itself = False
    if code < 0:
        print(f"the tests were killed by signal {-code}", file=sys.stderr)
        return 128 - code
    if code == 0 and not ended_by_itself:
        print("a test ended the process with exit code 0, the rest did not run", file=sys.stderr)
        return 1
    return code


def main() -> int:
    """Runs pytest; returns its exit code."""
    run = settings.read(sys.argv[1:], os.environ)
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        del os.environ[name]
    os.environ.update(settings.environment(run))
    arguments = settings.pytest_arguments(run)
    return run_to_its_end(lambda: int(pytest.main(arguments, plugins=[BazelPlugin(run)])))


if __name__ == "__main__":
    sys.exit(main())
