# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""JAX on the CPU; skipped where it is not installed."""

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


def values(array: Any) -> Any:
    return numpy.asarray(array).astype(numpy.float64)


@pytest.mark.parametrize("dtype", DTYPES)
def test_jax_arrays_rms_norm_matches_reference(dtype: str) -> None:
    x = jnp.asarray(random_values((3, 5, 100), seed=1), dtype)
    weight = jnp.asarray(random_values((100,), seed=2), dtype)
    result = tilewright.rms_norm(x, weight)
    assert isinstance(result, jax.Array)
    assert (result.dtype, result.devices()) == (x.dtype, x.devices())
    assert_close(values(result), reference.rms_norm(values(x), values(weight)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_jax_arrays_silu_and_mul_result_can_be_computed_with(dtype: str) -> None:
    x = jnp.asarray(random_values((4, 66), seed=3), dtype)
    result = tilewright.silu_and_mul(x)
    assert_close(values(result), reference.silu_and_mul(values(x)), dtype)
    doubled = jax.jit(lambda array: array + array)(result)
    assert_close(values(doubled), 2 * values(result), dtype)


def test_jax_arrays_not_yet_computed_input_is_waited_for() -> None:
    matrix = jnp.full((600, 600), 1 / 600, jnp.float32)
    x = matrix
    for _ in range(20):
        x = x @ matrix
    result = tilewright.rms_norm(x, jnp.ones(600, jnp.float32), 0.0)
    numpy.testing.assert_allclose(values(result), 1, rtol=1e-3)


def test_jax_arrays_out_raises_read_only_error_with_a_hint() -> None:
    x, weight = jnp.ones((2, 8)), jnp.ones(8)
    with pytest.raises(errors.ReadOnlyError, match=r"`out` is a JAX array.*immutable.*\nhint: "):
        tilewright.rms_norm(x, weight, out=jnp.zeros((2, 8)))


def test_jax_arrays_in_place_operator_raises_read_only_error_and_changes_nothing() -> None:
    x, residual, weight = jnp.ones((2, 8)), jnp.ones((2, 8)), jnp.ones(8)
    with pytest.raises(errors.ReadOnlyError, match=r"add_rms_norm: `x` is a JAX array"):
        tilewright.add_rms_norm(x, residual, weight)
    assert (x == 1).all()
    assert (residual == 1).all()


@pytest.mark.parametrize("transform", ["jit", "grad"])
def test_jax_arrays_traced_raises_invalid_argument_error_with_the_reason(transform: str) -> None:
    def norm(x: Any) -> Any:
        return tilewright.rms_norm(x, jnp.ones(8)).sum()

    with pytest.raises(errors.InvalidArgumentError, match=r"`x` is a JAX tracer.*jax.jit"):
        getattr(jax, transform)(norm)(jnp.ones(8))


def test_jax_arrays_wrong_dtype_raises_dtype_error_with_its_name() -> None:
    with pytest.raises(errors.DTypeError, match=r"^rms_norm: .*`x`.*int32"):
        tilewright.rms_norm(jnp.ones((2, 8), jnp.int32), jnp.ones(8))


def test_jax_arrays_empty_array_gives_empty_result() -> None:
    assert tilewright.rms_norm(jnp.ones((0, 8)), jnp.ones(8)).shape == (0, 8)
