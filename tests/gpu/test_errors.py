# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Mistakes with tensors on a GPU: a typed error, no launch, and a context that still works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tilewright
from tests.support.optional import import_or_none, requires
from tilewright import errors
from tilewright._internal.extension import extension

torch = import_or_none("torch")
pytestmark = requires(torch, "PyTorch")


def ones(*shape: int, dtype: Any = None, device: str = "cuda") -> Any:
    return torch.ones(*shape, dtype=dtype or torch.bfloat16, device=device)


CASES: dict[str, tuple[type[Exception], str, Callable[[], Any]]] = {
    "weight on the CPU": (
        errors.DeviceError,
        r"`x` on cuda:0 and `weight` on cpu",
        lambda: tilewright.rms_norm(ones(2, 64), ones(64, device="cpu")),
    ),
    "out on the CPU": (
        errors.DeviceError,
        r"`x` on cuda:0 and `out` on cpu",
        lambda: tilewright.rms_norm(ones(2, 64), ones(64), out=ones(2, 64, device="cpu")),
    ),
    "dtype": (
        errors.DTypeError,
        r"`x` is float64, expected float32, float16 or bfloat16",
        lambda: tilewright.silu_and_mul(ones(2, 64, dtype=torch.float64)),
    ),
    "shape": (
        errors.ShapeError,
        r"`weight`.*\[63\]",
        lambda: tilewright.rms_norm(ones(2, 64), ones(63)),
    ),
    "stride": (
        errors.StrideError,
        r"`x` has strides \[1, 2\]",
        lambda: tilewright.rms_norm(ones(64, 2).t(), ones(64)),
    ),
    "overlap": (
        errors.OverlapError,
        r"overlaps",
        lambda: tilewright.add_rms_norm(*(lambda x: (x, x))(ones(2, 64)), ones(64)),
    ),
    "gradient": (
        errors.GradientError,
        r"`weight`, torch.bfloat16 of shape \(64,\) on cuda:0, requires grad",
        lambda: tilewright.rms_norm(ones(2, 64), torch.nn.Parameter(ones(64))),
    ),
    "eps": (
        errors.InvalidArgumentError,
        r"`eps`",
        lambda: tilewright.rms_norm(ones(2, 64), ones(64), -1.0),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_errors_mistake_raises_its_class_with_the_values(case: str) -> None:
    kind, pattern, call = CASES[case]
    with pytest.raises(kind, match=pattern):
        call()
    assert torch.equal(tilewright.rms_norm(ones(2, 64), ones(64), 0.0), ones(2, 64))


@pytest.mark.skipif(torch is None or torch.cuda.device_count() < 2, reason="needs a second GPU")
def test_errors_tensors_on_two_gpus_raise_device_error_with_both() -> None:
    with pytest.raises(errors.DeviceError, match=r"`x` on cuda:0 and `weight` on cuda:1"):
        tilewright.rms_norm(ones(2, 64), ones(64, device="cuda:1"))


def test_errors_of_cuda_are_not_left_for_pytorch() -> None:
    with pytest.raises(errors.CudaError, match="CUDA error 101"):
        extension().cuda_synchronize(99, 0)
    assert torch.equal(ones(2, 64) + ones(2, 64), 2 * ones(2, 64))
    assert torch.equal(tilewright.rms_norm(ones(2, 64), ones(64), 0.0), ones(2, 64))


def test_errors_during_graph_capture_leave_the_capture_intact() -> None:
    x, weight = ones(2, 64), ones(64)
    tilewright.rms_norm(x, weight)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        with pytest.raises(errors.ShapeError):
            tilewright.rms_norm(x, ones(63))
        result = tilewright.rms_norm(x, weight, 0.0)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(result, x)
