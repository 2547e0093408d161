# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import Any

import pytest

import tilewright
from tests.support import torch_reference as reference
from tests.support.gpu_cases import DTYPES, HIDDEN_SIZES, ROWS
from tests.support.optional import import_or_none, requires
from tests.support.torch_reference import assert_close, random

torch = import_or_none("torch")
pytestmark = requires(torch, "PyTorch")


def check(x: Any, residual: Any, weight: Any, context: str) -> None:
    total = x.double() + residual.double()
    new_x, new_residual = tilewright.add_rms_norm(x, residual, weight)
    assert new_x is x
    assert new_residual is residual
    assert_close(residual, total, f"{context}: the sum")
    assert_close(x, reference.rms_norm(residual, weight), f"{context}: the norm")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hidden", HIDDEN_SIZES)
def test_add_rms_norm_matches_reference(hidden: int, dtype: str) -> None:
    kind = getattr(torch, dtype)
    weight = random((hidden,), kind, seed=1)
    for rows in ROWS if hidden <= 16384 else ROWS[:3]:
        x, residual = (random((rows, hidden), kind, seed=seed) for seed in (2, 3))
        check(x, residual, weight, f"{rows} rows, seeds 1 to 3")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_add_rms_norm_float32_weight_is_used_unrounded(dtype: str) -> None:
    kind = getattr(torch, dtype)
    x, residual = (random((17, 4096), kind, seed=seed) for seed in (4, 5))
    weight = 1 + random((4096,), torch.float32, seed=6, scale=1e-4)
    check(x, residual, weight, "seeds 4 to 6")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("hidden", "stride"), [(64, 67), (4096, 4104), (4096, 12288)])
def test_add_rms_norm_strided_rows_leave_what_is_between_them(
    hidden: int, stride: int, dtype: str
) -> None:
    memory = random((2, 37, stride), getattr(torch, dtype), seed=7)
    kept = memory.clone()
    check(
        memory[0, :, :hidden],
        memory[1, :, :hidden],
        random((hidden,), getattr(torch, dtype), seed=8),
        "seeds 7, 8",
    )
    assert torch.equal(memory[:, :, hidden:], kept[:, :, hidden:])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("offset", [1, 3, 4])
def test_add_rms_norm_unaligned_arrays_match_reference(offset: int, dtype: str) -> None:
    memory = random((2, offset + 5 * 1000), getattr(torch, dtype), seed=9)
    x = memory[0, offset:].view(5, 1000)
    residual = memory[1, : 5 * 1000].view(5, 1000)
    check(x, residual, random((1000,), getattr(torch, dtype), seed=10), "seeds 9, 10")


def test_add_rms_norm_empty_arrays_are_fine() -> None:
    x, residual = torch.empty(2, 0, 64, device="cuda")
    check(x, residual, torch.ones(64, device="cuda"), "empty")
