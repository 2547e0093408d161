# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The operators through apache-tvm-ffi, on PyTorch's tensors."""

from __future__ import annotations

from typing import Any

import pytest

import tilewright
from tests.support import torch_reference as reference
from tests.support.optional import import_or_none, requires
from tests.support.torch_reference import assert_close, random

torch = import_or_none("torch")
tvm_ffi = import_or_none("tvm_ffi")
pytestmark = [requires(torch, "PyTorch"), requires(tvm_ffi, "apache-tvm-ffi")]

# Long enough, a tenth of a second or so, that work ordered wrongly is seen.
DELAY_CYCLES = 200_000_000
DL_CPU = 1  # of DLDeviceType


@pytest.fixture(scope="module")
def ops() -> Any:
    return tvm_ffi.load_module(tilewright.tvm.ffi_library_path())


def test_tvm_ffi_operators_match_reference_on_the_gpu(ops: Any) -> None:
    x = random((64, 4096), torch.bfloat16, seed=1)
    weight = random((4096,), torch.bfloat16, seed=2)
    out = torch.empty_like(x)
    ops.rms_norm(x, weight, 1e-6, out)
    assert_close(out, reference.rms_norm(x, weight), "seeds 1, 2")
    residual = random((64, 4096), torch.bfloat16, seed=3)
    total = x.double() + residual.double()
    ops.add_rms_norm(x, residual, weight, 1e-6)
    assert_close(residual, total, "seeds 1, 3")
    gated = torch.empty((64, 2048), dtype=torch.bfloat16, device="cuda")
    ops.silu_and_mul(out, gated)
    assert_close(gated, reference.silu_and_mul(out), "seeds 1, 2")


def test_tvm_ffi_operator_runs_on_the_current_stream(ops: Any) -> None:
    fresh = random((64, 4096), torch.float32, seed=4)
    weight = random((4096,), torch.float32, seed=5)
    x, out = torch.zeros_like(fresh), torch.empty_like(fresh)
    ops.rms_norm(x, weight, 1e-6, out)  # loads the kernel, which may wait for the GPU
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(DELAY_CYCLES)
        x.copy_(fresh)
        ops.rms_norm(x, weight, 1e-6, out)
        assert not stream.query(), "the operator waited for the GPU"
    stream.synchronize()
    assert_close(out, reference.rms_norm(fresh, weight), "seeds 4, 5")


def test_tvm_ffi_tensors_on_two_devices_are_a_value_error(ops: Any) -> None:
    x = random((4, 64), torch.float32, seed=6)
    with pytest.raises(ValueError, match=r"(?s)rms_norm: .*cuda"):
        ops.rms_norm(x, torch.ones(64), 1e-6, torch.empty_like(x))


def test_private_tvm_refuses_a_tensor_on_the_gpu() -> None:
    # Its runtime has the CPU only: an error, and the process goes on.
    x = random((4,), torch.float32, seed=7)
    to_device = tilewright.tvm.get_global_function("vm.builtin.to_device")
    with pytest.raises(tilewright.errors.TvmError, match="cuda"):
        to_device(x, DL_CPU, 0)
    assert torch.equal(torch.from_dlpack(to_device(x.cpu(), DL_CPU, 0)), x.cpu())
