# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""CuPy arrays; skipped where CuPy is not installed."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilewright
from tests.support import reference
from tests.support.cases import random_values
from tests.support.optional import import_or_none, requires
from tests.support.tolerance import assert_close
from tilewright import errors

cupy = import_or_none("cupy")
pytestmark = requires(cupy, "CuPy")

DTYPES = ("float32", "float16")


def values(array: Any) -> Any:
    return cupy.asnumpy(array).astype(numpy.float64)


def random(shape: tuple[int, ...], dtype: str, seed: int) -> Any:
    return cupy.asarray(random_values(shape, seed).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(7,), (1, 4096), (33, 257), (2, 3, 64)])
def test_cupy_arrays_rms_norm_matches_reference(shape: tuple[int, ...], dtype: str) -> None:
    x, weight = random(shape, dtype, seed=1), random(shape[-1:], dtype, seed=2)
    result = tilewright.rms_norm(x, weight)
    assert isinstance(result, cupy.ndarray)
    assert result.dtype == x.dtype
    assert_close(values(result), reference.rms_norm(values(x), values(weight)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_cupy_arrays_add_rms_norm_works_in_place(dtype: str) -> None:
    x, residual, weight = (random((5, 64), dtype, seed=seed) for seed in (3, 4, 5))
    total = values(x) + values(residual)
    new_x, new_residual = tilewright.add_rms_norm(x, residual, weight[0])
    assert new_x is x
    assert new_residual is residual
    assert_close(values(residual), total, dtype)
    assert_close(values(x), reference.rms_norm(values(residual), values(weight[0])), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_cupy_arrays_silu_and_mul_fills_out(dtype: str) -> None:
    x = random((5, 66), dtype, seed=6)
    out = cupy.zeros((5, 33), dtype)
    assert tilewright.silu_and_mul(x, out=out) is out
    assert_close(values(out), reference.silu_and_mul(values(x)), dtype)


def test_cupy_arrays_run_on_the_current_stream() -> None:
    x = cupy.zeros((256, 4096), cupy.float32)
    fresh = random((256, 4096), "float32", seed=7)
    weight = cupy.ones(4096, cupy.float32)
    busy = cupy.ones((4096, 4096), cupy.float32)
    tilewright.rms_norm(x, weight)
    cupy.cuda.Device().synchronize()
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        for _ in range(20):
            busy = busy @ busy * cupy.float32(1e-4)
        x[...] = fresh
        result = tilewright.rms_norm(x, weight)
    stream.synchronize()
    assert_close(values(result), reference.rms_norm(values(fresh), 1.0), "float32", "seed 7")


def test_cupy_arrays_beside_numpy_arrays_raise_invalid_argument_error() -> None:
    with pytest.raises(errors.InvalidArgumentError, match="of CuPy .* and `weight` of NumPy"):
        tilewright.rms_norm(cupy.ones((2, 8), cupy.float32), numpy.ones(8, numpy.float32))
