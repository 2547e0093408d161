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


def dtype_of(name: str) -> Any:
    return getattr(torch, name)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hidden", HIDDEN_SIZES)
def test_rms_norm_matches_reference(hidden: int, dtype: str) -> None:
    weight = random((hidden,), dtype_of(dtype), seed=1)
    for rows in ROWS if hidden <= 16384 else ROWS[:3]:
        x = random((rows, hidden), dtype_of(dtype), seed=rows)
        result = tilewright.rms_norm(x, weight)
        assert (result.dtype, result.device, result.shape) == (x.dtype, x.device, x.shape)
        assert_close(result, reference.rms_norm(x, weight), f"seeds {rows}, 1")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("hidden", [100, 4095, 4096, 8192, 65536])
def test_rms_norm_float32_weight_is_used_unrounded(hidden: int, dtype: str) -> None:
    x = random((17, hidden), dtype_of(dtype), seed=2)
    weight = 1 + random((hidden,), torch.float32, seed=3, scale=1e-4)
    assert_close(tilewright.rms_norm(x, weight), reference.rms_norm(x, weight), "seeds 2, 3")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("hidden", "stride"), [(64, 67), (100, 128), (4096, 4104), (4096, 12288)])
def test_rms_norm_strided_rows_match_reference(hidden: int, stride: int, dtype: str) -> None:
    memory = random((37, stride), dtype_of(dtype), seed=4)
    kept = memory.clone()
    x = memory[:, :hidden]
    weight = random((hidden,), dtype_of(dtype), seed=5)
    expected = reference.rms_norm(x, weight)
    assert_close(tilewright.rms_norm(x, weight), expected, "seeds 4, 5")
    assert tilewright.rms_norm(x, weight, out=x) is x
    assert_close(x, expected, "seeds 4, 5, in place")
    assert torch.equal(memory[:, hidden:], kept[:, hidden:])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("offset", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("hidden", [96, 100, 4096])
def test_rms_norm_unaligned_arrays_match_reference(hidden: int, offset: int, dtype: str) -> None:
    def shifted(*shape: int, seed: int) -> Any:
        size = int(torch.Size(shape).numel())
        return random((offset + size,), dtype_of(dtype), seed=seed)[offset:].view(*shape)

    x, weight, out = shifted(5, hidden, seed=6), shifted(hidden, seed=7), shifted(5, hidden, seed=8)
    aligned = random((5, hidden), dtype_of(dtype), seed=9)
    expected = reference.rms_norm(x, weight)
    tilewright.rms_norm(x, weight, out=out)
    assert_close(out, expected, "seeds 6, 7")
    tilewright.rms_norm(x, weight, out=aligned)
    assert_close(aligned, expected, "seeds 6, 7, aligned output")
    assert_close(
        tilewright.rms_norm(aligned, weight, out=out),
        reference.rms_norm(aligned, weight),
        "unaligned output",
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5,), (2, 3, 64), (2, 1, 5, 100), (0, 64), (3, 0, 64)])
def test_rms_norm_any_rank_matches_reference(shape: tuple[int, ...], dtype: str) -> None:
    x = random(shape, dtype_of(dtype), seed=10)
    weight = random(shape[-1:], dtype_of(dtype), seed=11)
    assert_close(tilewright.rms_norm(x, weight), reference.rms_norm(x, weight), "seeds 10, 11")


def test_rms_norm_writes_nothing_around_out() -> None:
    memory = torch.full((10, 4104), 7.0, device="cuda")
    out = memory[2:8, 3:4099]
    x = random((6, 4096), torch.float32, seed=12)
    tilewright.rms_norm(x, torch.ones(4096, device="cuda"), out=out)
    assert_close(out, reference.rms_norm(x, torch.ones(4096, device="cuda")), "seed 12")
    assert (memory[:2] == 7).all()
    assert (memory[8:] == 7).all()
    assert (memory[:, :3] == 7).all()
    assert (memory[:, 4099:] == 7).all()


@pytest.mark.parametrize("eps", [0.0, 1e-5, 10.0])
def test_rms_norm_eps_is_inside_the_root(eps: float) -> None:
    x = random((9, 512), torch.float32, seed=13)
    weight = torch.ones(512, device="cuda")
    assert_close(tilewright.rms_norm(x, weight, eps), reference.rms_norm(x, weight, eps), "seed 13")


def test_rms_norm_nan_and_infinity_stay_in_their_row() -> None:
    x = random((4, 1000), torch.bfloat16, seed=14)
    x[1, 5], x[2, 7] = float("nan"), float("inf")
    result = tilewright.rms_norm(x, torch.ones(1000, dtype=torch.bfloat16, device="cuda"))
    assert result[1].isnan().all()
    assert result[2, 7].isnan()
    assert result[[0, 3]].isfinite().all()


@pytest.mark.parametrize("dtype", ["bfloat16"])
def test_rms_norm_more_than_2_to_31_elements_match_reference(dtype: str, memory_gib: int) -> None:
    rows, hidden = 2**19 + 3, 4096 + 8
    if memory_gib < 14:
        pytest.skip(f"needs 14 GiB of free GPU memory, there are {memory_gib}")
    assert rows * hidden > 2**31
    x = torch.empty((rows, hidden), dtype=dtype_of(dtype), device="cuda")
    x.normal_(generator=torch.Generator("cuda").manual_seed(15))
    weight = random((hidden,), dtype_of(dtype), seed=16)
    result = tilewright.rms_norm(x, weight)
    for first in (0, 2**19 // 2 - 8, rows - 16):  # beside 0, 2^30 and past 2^31 elements
        part = slice(first, first + 16)
        assert_close(result[part], reference.rms_norm(x[part], weight), f"rows from {first}")
    step = 2**15
    for first in range(0, rows, step):
        part = slice(first, first + step)
        mean_square = result[part].float().div_(weight.float()).square_().mean(-1)
        assert ((mean_square - 1).abs() < 0.01).all(), f"rows from {first}"


def test_rms_norm_more_than_65535_rows_match_reference() -> None:
    x = random((200_003, 16), torch.float16, seed=17)
    weight = random((16,), torch.float16, seed=18)
    assert_close(tilewright.rms_norm(x, weight), reference.rms_norm(x, weight), "seeds 17, 18")
