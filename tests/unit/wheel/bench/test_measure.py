# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
import os
import sys

import pytest

from tools.wheel.bench.measure import CommandError, measure

MIB = 1 << 20


def test_measure_memory_of_child_processes_counts() -> None:
    child = "import time; data = bytearray(b'x') * (64 << 20); time.sleep(0.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    cost = measure([sys.executable, "-c", parent], dict(os.environ))
    assert cost.seconds > 0.5
    assert 64 * MIB < cost.memory < 256 * MIB


def test_measure_failing_command_is_quoted() -> None:
    with pytest.raises(CommandError, match=r"ended with 3:\noh$"):
        measure([sys.executable, "-c", "import sys; sys.stderr.write('oh'); sys.exit(3)"], {})
