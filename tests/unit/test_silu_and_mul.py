# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy
import pytest

import tilewright
from tests.support import reference
from tests.support.cases import DTYPES, SHAPES, array_of, random_values, values_of
from tests.support.tolerance import assert_close
from tilewright import errors


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_silu_and_mul_matches_reference(shape: tuple[int, ...], dtype: str) -> None:
    x = array_of(random_values((*shape[:-1], 2 * shape[-1]), seed=1), dtype)
    result = tilewright.silu_and_mul(x)
    assert type(result) is type(x)
    assert result.dtype == x.dtype
    assert_close(values_of(result), reference.silu_and_mul(values_of(x)), dtype, "seed 1")


@pytest.mark.parametrize("dtype", DTYPES)
def test_silu_and_mul_extreme_gates_saturate_without_nan(dtype: str) -> None:
    gate = numpy.array([-200.0, -80.0, 0.0, 80.0, 200.0])
    x = array_of(numpy.concatenate([gate, numpy.ones(5)]), dtype)
    values = values_of(tilewright.silu_and_mul(x))
    numpy.testing.assert_array_equal(values[2:], [0, 80, 200])
    assert abs(values[0]) <= 1e-30
    assert abs(values[1]) <= 1e-30


def test_silu_and_mul_strided_rows_match_reference() -> None:
    wide = array_of(random_values((5, 40), seed=2), "float32")
    x = wide[:, 3:25]
    assert_close(
        tilewright.silu_and_mul(x), reference.silu_and_mul(values_of(x)), "float32", "seed 2"
    )


def test_silu_and_mul_out_receives_and_is_the_result() -> None:
    x = array_of(random_values((3, 14), seed=3), "float16")
    out = numpy.zeros((3, 7), numpy.float16)
    assert tilewright.silu_and_mul(x, out=out) is out
    assert_close(values_of(out), reference.silu_and_mul(values_of(x)), "float16", "seed 3")


def test_silu_and_mul_empty_input_gives_empty_result() -> None:
    assert tilewright.silu_and_mul(numpy.ones((0, 8), numpy.float32)).shape == (0, 4)


@pytest.mark.parametrize("with_out", [False, True])
def test_silu_and_mul_odd_width_raises_shape_error_with_the_shape(with_out: bool) -> None:
    out = numpy.ones((2, 3), numpy.float32) if with_out else None
    with pytest.raises(errors.ShapeError, match=r"last dimension of `x`.*[\[(]2, 7[\])]"):
        tilewright.silu_and_mul(numpy.ones((2, 7), numpy.float32), out=out)


def test_silu_and_mul_scalar_raises_shape_error() -> None:
    with pytest.raises(errors.ShapeError, match=r"`x`.*, got shape \(\)$"):
        tilewright.silu_and_mul(numpy.ones((), numpy.float32))


def test_silu_and_mul_wrong_out_shape_raises_shape_error_with_the_shapes() -> None:
    with pytest.raises(errors.ShapeError, match=r"`out` has shape \[2, 8\].*\[2, 8\]"):
        tilewright.silu_and_mul(
            numpy.ones((2, 8), numpy.float32), out=numpy.ones((2, 8), numpy.float32)
        )


def test_silu_and_mul_overlapping_out_raises_overlap_error() -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.OverlapError, match="`out`.*overlaps `x`"):
        tilewright.silu_and_mul(x, out=x[:, :4])


def test_silu_and_mul_wrong_dtype_raises_dtype_error_with_its_name() -> None:
    with pytest.raises(errors.DTypeError, match="silu_and_mul: `x` is float64"):
        tilewright.silu_and_mul(numpy.ones((2, 8)))
