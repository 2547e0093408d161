# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What `gpu = True` promises to the tests of a target."""

from pathlib import Path


def test_gpu_target_that_runs_has_a_device() -> None:
    assert any(Path(device).exists() for device in ("/dev/nvidiactl", "/dev/dxg"))
