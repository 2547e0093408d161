# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""JAX arrays on a GPU; skipped where JAX or its CUDA plugin is not installed."""

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

jax = import_or_none("jax")
jnp = import_or_none("jax.numpy")
pytestmark = requires(jax, "JAX")

DTYPES = ("float32", "float16", "bfloat16")


@pytest.fixture(autouse=True)
def _needs_jax_on_cuda() -> None:
    if jax.default_backend() != "gpu":
        pytest.skip("JAX has no CUDA backend here")


def values(array: Any) -> Any:
    return numpy.asarray(array).astype(numpy.float64)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(7,), (1, 4096), (33, 257), (2, 3, 64)])
def test_jax_arrays_rms_norm_matches_reference(shape: tuple[int, ...], dtype: str) -> None:
    x = jnp.asarray(random_values(shape, seed=1), dtype)
    weight = jnp.asarray(random_values(shape[-1:], seed=2), dtype)
    result = tilewright.rms_norm(x, weight)
    assert isinstance(result, jax.Array)
    assert (result.dtype, result.devices()) == (x.dtype, x.devices())
    assert_close(values(result), reference.rms_norm(values(x), values(weight)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_jax_arrays_result_can_be_computed_with_at_once(dtype: str) -> None:
    x = jnp.asarray(random_values((64, 4096), seed=3), dtype)
    weight = jnp.ones(4096, dtype)
    double = jax.jit(lambda array: array + array)
    for _ in range(20):  # inputs computed just before, results used just after, memory reused
        fresh = double(x)
        result = double(tilewright.rms_norm(fresh, weight))
        del fresh
    # Doubling is exact, and so doubles the rounding that the tolerance allows once.
    assert_close(values(result) / 2, reference.rms_norm(2 * values(x), 1.0), dtype, "seed 3")


def test_jax_arrays_several_results_are_independent() -> None:
    weight = jnp.ones(64, jnp.float32)
    inputs = [jnp.asarray(random_values((4, 64), seed=seed), jnp.float32) for seed in range(5)]
    results = [tilewright.rms_norm(x, weight) for x in inputs]
    for x, result in zip(inputs, results, strict=True):
        assert_close(values(result), reference.rms_norm(values(x), 1.0), "float32")


def test_jax_arrays_out_raises_read_only_error() -> None:
    x, weight = jnp.ones((2, 8)), jnp.ones(8)
    with pytest.raises(errors.ReadOnlyError, match="`out` is a JAX array"):
        tilewright.rms_norm(x, weight, out=jnp.zeros((2, 8)))


def test_jax_arrays_on_two_devices_raise_device_error_with_both() -> None:
    x = jnp.ones((2, 8))
    weight = jax.device_put(jnp.ones(8), jax.devices("cpu")[0])
    with pytest.raises(errors.DeviceError, match=r"`x` on cuda:0 and `weight` on cpu"):
        tilewright.rms_norm(x, weight)
