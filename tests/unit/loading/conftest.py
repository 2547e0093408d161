# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
import pathlib

import pytest

from tests.unit.loading.machine import Machine


@pytest.fixture
def machine(tmp_path: pathlib.Path) -> Machine:
    """With CUDA 12's and CUDA 13's runtime and a driver for CUDA 13.0."""
    return Machine(
        tmp_path,
        driver=pathlib.Path(os.environ["FAKE_CUDA_DRIVER"]),
        runtimes={major: pathlib.Path(os.environ[f"CUDA{major}_RUNTIME"]) for major in (12, 13)},
    )
