# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

import tilewright
from tests.support import torch_reference as reference
from tests.support.gpu_cases import DTYPES, HIDDEN_SIZES, ROWS
from tests.support.optional import import_or_none, requires
from tests.support.torch_reference import assert_close, random

torch = import_or_none("torch")
pytestmark = requires(torch, "PyTorch")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("width", HIDDEN_SIZES)
def test_silu_and_mul_matches_reference(width: int, dtype: str) -> None:
    for rows in ROWS if width <= 16384 else ROWS[:3]:
        x = random((rows, 2 * width), getattr(torch, dtype), seed=rows)
        result = tilewright.silu_and_mul(x)
        assert (result.dtype, result.device) == (x.dtype, x.device)
        assert_close(result, reference.silu_and_mul(x), f"seed {rows}")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("width", "stride"), [(32, 67), (2048, 4104), (2048, 12288)])
def test_silu_and_mul_strided_rows_match_reference(width: int, stride: int, dtype: str) -> None:
    x = random((37, stride), getattr(torch, dtype), seed=1)[:, : 2 * width]
    memory = torch.full((37, width + 5), 7.0, dtype=x.dtype, device="cuda")
    out = memory[:, :width]
    assert tilewright.silu_and_mul(x, out=out) is out
    assert_close(out, reference.silu_and_mul(x), "seed 1")
    assert (memory[:, width:] == 7).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("offset", [1, 2, 3, 4, 5])
def test_silu_and_mul_unaligned_arrays_match_reference(offset: int, dtype: str) -> None:
    memory = random((offset + 5 * 200,), getattr(torch, dtype), seed=2)
    x = memory[offset:].view(5, 200)
    assert_close(tilewright.silu_and_mul(x), reference.silu_and_mul(x), "seed 2")


@pytest.mark.parametrize("dtype", DTYPES)
def test_silu_and_mul_extreme_gates_saturate_without_nan(dtype: str) -> None:
    gate = [-60000.0, -200.0, -80.0, 0.0, 80.0, 200.0, 60000.0]
    x = torch.tensor(gate + [1.0] * 7, dtype=getattr(torch, dtype), device="cuda")
    result = tilewright.silu_and_mul(x)
    assert_close(result[3:], x[3:7])
    assert (result[:3].abs() <= 1e-30).all()
    infinite = torch.tensor([float("inf"), 1.0], dtype=getattr(torch, dtype), device="cuda")
    assert tilewright.silu_and_mul(infinite).item() == float("inf")


def test_silu_and_mul_empty_array_gives_empty_result() -> None:
    assert tilewright.silu_and_mul(torch.empty(0, 64, device="cuda")).shape == (0, 32)


def test_silu_and_mul_more_than_2_to_31_elements_match_reference(memory_gib: int) -> None:
    rows, width = 2**18 + 1, 4104
    if memory_gib < 12:
        pytest.skip(f"needs 12 GiB of free GPU memory, there are {memory_gib}")
    assert rows * 2 * width > 2**31
    x = torch.empty((rows, 2 * width), dtype=torch.bfloat16, device="cuda")
    x.normal_(generator=torch.Generator("cuda").manual_seed(3))
    result = tilewright.silu_and_mul(x)
    step = 2**14
    for first in range(0, rows, step):
        part = slice(first, first + step)
        assert_close(result[part], reference.silu_and_mul(x[part]), f"seed 3, rows from {first}")
