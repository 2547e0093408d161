# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The libraries for CUDA 12 and 13, each in a process of its own, and the doctor's view of them."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import pytest

import tilewright
from tests.support.child import run_python
from tests.support.installation import Installation
from tests.support.optional import import_or_none, requires

torch = import_or_none("torch")
pytestmark = requires(torch, "PyTorch")

MAJORS = ("12", "13")

# Prints the report of the process after an operator ran. PyTorch is imported for its tensors.
RUN = """
import json, sys, torch, tilewright
from tilewright import _C
from tests.support import torch_reference as reference
weight = reference.random((4096,), torch.bfloat16, seed=1)
for rows in (1, 128, 5000):
    x = reference.random((rows, 4096), torch.bfloat16, seed=2)
    reference.assert_close(tilewright.rms_norm(x, weight), reference.rms_norm(x, weight))
    reference.assert_close(tilewright.silu_and_mul(x), reference.silu_and_mul(x))
    residual = torch.zeros_like(x)
    expected = reference.rms_norm(x, weight)
    reference.assert_close(tilewright.add_rms_norm(x, residual, weight)[0], expected)
torch.cuda.synchronize()
print(_C.cuda_report())
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # Empty is as good as unset: the default choice is tested also where the caller forces a major.
    return run_python("-c", code, environment={"TILEWRIGHT_CUDA": "", **environment})


def report_of(child: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert child.returncode == 0, child.stderr
    report: dict[str, Any] = json.loads(child.stdout)
    return report


def skip_unless_available(child: subprocess.CompletedProcess[str], major: str) -> None:
    if "LibraryNotFoundError" in child.stderr and f"libcudart.so.{major}" in child.stderr:
        pytest.skip(f"libcudart.so.{major} is not installed: pip install 'tilewright[cuda{major}]'")


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_majors_forced_one_is_loaded_and_right(major: str) -> None:
    child = run(RUN, TILEWRIGHT_CUDA=major)
    skip_unless_available(child, major)
    report = report_of(child)
    assert report["chosen"] == int(major)
    assert report["runtime_version"] // 1000 == int(major)
    assert f"TILEWRIGHT_CUDA={major}" in report["reason"]
    assert f"libcudart.so.{major}" in report["runtime_path"]


def test_cuda_majors_default_is_the_one_that_pytorch_holds() -> None:
    report = report_of(run(RUN))
    assert report["chosen"] == int(torch.version.cuda.partition(".")[0])
    assert report["reason"] == "the process already holds this CUDA runtime"


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_majors_graph_capture_works_with_either(major: str) -> None:
    code = """
import torch, tilewright
x = torch.randn(64, 4096, device="cuda", dtype=torch.bfloat16)
weight = torch.ones(4096, device="cuda", dtype=torch.bfloat16)
expected = tilewright.rms_norm(x, weight)
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    result = tilewright.rms_norm(x, weight)
result.zero_()
graph.replay()
torch.cuda.synchronize()
assert torch.equal(result, expected)
"""
    child = run(code, TILEWRIGHT_CUDA=major)
    skip_unless_available(child, major)
    assert child.returncode == 0, child.stderr


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_majors_error_raised_in_either_is_typed(major: str) -> None:
    code = (
        "from tilewright._internal.extension import extension\n"
        "extension().cuda_load()\n"
        "extension().cuda_synchronize(99, 0)"
    )
    child = run(code, TILEWRIGHT_CUDA=major)
    skip_unless_available(child, major)
    assert child.returncode == 1
    assert "CudaError: tw_cuda_synchronize: CUDA error 101 (invalid device" in child.stderr


@pytest.mark.parametrize("major", MAJORS)
def test_cuda_majors_missing_kernel_library_is_named(tmp_path: pathlib.Path, major: str) -> None:
    installation = Installation(tmp_path)
    library = installation.libraries / f"libtilewright_cuda{major}.so"
    library.unlink()
    code = "x = torch.ones(2, 8, device='cuda'); tilewright.rms_norm(x, x[0])"
    kind, message = installation.error_of(f"import torch; {code}", {"TILEWRIGHT_CUDA": major})
    assert kind == "LibraryNotFoundError"
    assert f"{library}: not found" in message
    assert f"a usable `{library.name}`, reinstall it" in message


def test_cuda_majors_bad_override_raises_with_the_allowed_values() -> None:
    child = run(RUN, TILEWRIGHT_CUDA="11")
    assert child.returncode == 1
    assert "InvalidArgumentError: `TILEWRIGHT_CUDA` is `11`, expected 12 or 13" in child.stderr


def test_cuda_majors_doctor_is_content_and_names_the_gpu() -> None:
    child = run_python("-m", "tilewright", "doctor", "--json")
    report = json.loads(child.stdout)
    assert child.returncode == 0, report["problems"]
    names = [device["name"] for device in report["cuda"]["devices"]]
    assert torch.cuda.get_device_name() in names
    assert report["cuda"]["report"]["chosen"] in (12, 13)
    assert report["versions"]["tilewright"] == tilewright.__version__


def test_cuda_majors_pinned_memory_counts_as_the_cpu() -> None:
    x = torch.ones(2, 64).pin_memory()
    result = tilewright.rms_norm(x, torch.ones(64), 0.0)
    assert result.device.type == "cpu"
    assert torch.equal(result, torch.ones(2, 64))
