# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What both toolkits' nvcc made in one build.

Each library is linked against its own CUDA runtime, loads without a GPU, and holds no path of the
build.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

MAJORS = ["12", "13"]

# Loads the runtime by path, as a run path would, then the library, and calls into both.
PROBE = """
import ctypes, sys
cudart = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
version = ctypes.c_int()
assert cudart.cudaRuntimeGetVersion(ctypes.byref(version)) == 0
library = ctypes.CDLL(sys.argv[2])
devices = ctypes.c_int()
error = cudart.cudaGetDeviceCount(ctypes.byref(devices))
if error:
    devices.value = 0
print(version.value, devices.value, library.scale(None, ctypes.c_float(2.0), 0))
"""


def library(major: str) -> Path:
    return Path(os.environ[f"SCALE_{major}"])


@pytest.mark.parametrize("major", MAJORS)
def test_library_needed_is_cudart_of_its_major(major: str) -> None:
    content = library(major).read_bytes()
    assert set(re.findall(rb"libcudart\.so[.0-9]*", content)) == {f"libcudart.so.{major}".encode()}


@pytest.mark.parametrize("major", MAJORS)
def test_library_call_without_gpu_returns_error_code(major: str) -> None:
    command = [sys.executable, "-c", PROBE, os.environ[f"CUDART_{major}"], str(library(major))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    version, devices, error = (int(word) for word in result.stdout.split())
    assert version // 1000 == int(major)
    if devices == 0:
        assert error != 0


@pytest.mark.parametrize("major", MAJORS)
def test_library_bytes_hold_no_build_path(major: str) -> None:
    content = library(major).read_bytes()
    for fragment in [b"/sandbox/", b"execroot", b"bazel-out", b"/tmp/"]:
        assert fragment not in content


def test_library_versions_share_no_toolkit() -> None:
    first, second = (library(major).read_bytes() for major in MAJORS)
    assert first != second
    assert b"libcudart.so.13" not in first
    assert b"libcudart.so.12" not in second
