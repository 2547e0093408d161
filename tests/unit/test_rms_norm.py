# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilewright
from tests.support import reference
from tests.support.cases import DTYPES, SHAPES, array_of, random_values, values_of
from tests.support.fake_dlpack import FakeArray
from tests.support.tolerance import assert_close
from tilewright import errors


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_rms_norm_matches_reference(shape: tuple[int, ...], dtype: str) -> None:
    x = array_of(random_values(shape, seed=1), dtype)
    weight = array_of(random_values(shape[-1:], seed=2), dtype)
    result = tilewright.rms_norm(x, weight)
    assert type(result) is type(x)
    assert result.dtype == x.dtype
    expected = reference.rms_norm(values_of(x), values_of(weight))
    assert_close(values_of(result), expected, dtype, "seeds 1, 2")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_rms_norm_float32_weight_is_used_unrounded(dtype: str) -> None:
    x = array_of(random_values((4, 96), seed=3), dtype)
    weight = array_of(1 + random_values((96,), seed=4) * 1e-4, "float32")
    if dtype == "bfloat16":
        x_array, weight = x, type(x)(weight, "float32")
    else:
        x_array = x
    expected = reference.rms_norm(values_of(x), values_of(weight))
    assert_close(values_of(tilewright.rms_norm(x_array, weight)), expected, dtype, "seeds 3, 4")


@pytest.mark.parametrize("eps", [0.0, 1e-6, 0.5])
def test_rms_norm_eps_is_inside_the_root(eps: float) -> None:
    x = array_of(random_values((3, 50), seed=5, scale=0.5), "float32")
    weight = numpy.ones(50, numpy.float32)
    expected = reference.rms_norm(values_of(x), values_of(weight), eps)
    assert_close(tilewright.rms_norm(x, weight, eps), expected, "float32", f"eps {eps}")


def test_rms_norm_large_float16_values_do_not_overflow() -> None:
    x = numpy.full((2, 64), 60000, numpy.float16)
    result = tilewright.rms_norm(x, numpy.ones(64, numpy.float16))
    numpy.testing.assert_array_equal(result, numpy.ones_like(x))


def test_rms_norm_zero_rows_of_x_give_zeros() -> None:
    result = tilewright.rms_norm(numpy.zeros((2, 9), numpy.float32), numpy.ones(9, numpy.float32))
    numpy.testing.assert_array_equal(result, numpy.zeros((2, 9), numpy.float32))


@pytest.mark.parametrize("shape", [(0, 8), (3, 0, 8)])
def test_rms_norm_empty_input_gives_empty_result(shape: tuple[int, ...]) -> None:
    result = tilewright.rms_norm(numpy.ones(shape, numpy.float32), numpy.ones(8, numpy.float32))
    assert result.shape == shape


@pytest.mark.parametrize("dtype", DTYPES)
def test_rms_norm_out_receives_and_is_the_result(dtype: str) -> None:
    x = array_of(random_values((6, 33), seed=6), dtype)
    weight = array_of(random_values((33,), seed=7), dtype)
    out = array_of(numpy.zeros((6, 33)), dtype)
    assert tilewright.rms_norm(x, weight, out=out) is out
    expected = reference.rms_norm(values_of(x), values_of(weight))
    assert_close(values_of(out), expected, dtype, "seeds 6, 7")


def test_rms_norm_out_may_be_the_input() -> None:
    x = array_of(random_values((6, 33), seed=8), "float32")
    weight = array_of(random_values((33,), seed=9), "float32")
    expected = reference.rms_norm(values_of(x), values_of(weight))
    assert tilewright.rms_norm(x, weight, out=x) is x
    assert_close(x, expected, "float32", "seeds 8, 9")


def test_rms_norm_strided_rows_are_read_and_written_in_place() -> None:
    wide = array_of(random_values((5, 40), seed=10), "float32")
    kept = wide.copy()
    weight = numpy.ones(16, numpy.float32)
    expected = reference.rms_norm(values_of(wide)[:, 8:24], 1.0)
    tilewright.rms_norm(wide[:, 8:24], weight, out=wide[:, 24:])
    assert_close(wide[:, 24:], expected, "float32", "seed 10")
    numpy.testing.assert_array_equal(wide[:, :24], kept[:, :24])


def test_rms_norm_unaligned_input_matches_reference() -> None:
    memory = array_of(random_values((1 + 3 * 21,), seed=11), "float16")
    x = memory[1:].reshape(3, 21)
    weight = numpy.ones(21, numpy.float16)
    expected = reference.rms_norm(values_of(x), 1.0)
    assert_close(tilewright.rms_norm(x, weight), expected, "float16", "seed 11")


def test_rms_norm_noncontiguous_last_dimension_raises_stride_error() -> None:
    x = numpy.ones((8, 4), numpy.float32).T
    with pytest.raises(errors.StrideError, match=r"`x` has strides \[1, 4\] for shape \[4, 8\]"):
        tilewright.rms_norm(x, numpy.ones(8, numpy.float32))


def test_rms_norm_wrong_weight_size_raises_shape_error_with_the_shapes() -> None:
    with pytest.raises(errors.ShapeError, match=r"rms_norm: `weight`.*\[7\]"):
        tilewright.rms_norm(numpy.ones((2, 8), numpy.float32), numpy.ones(7, numpy.float32))


def test_rms_norm_scalar_input_raises_shape_error() -> None:
    with pytest.raises(errors.ShapeError, match="`x` is a scalar"):
        tilewright.rms_norm(numpy.ones((), numpy.float32), numpy.ones(1, numpy.float32))


def test_rms_norm_wrong_out_shape_raises_shape_error_with_the_shapes() -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.ShapeError, match=r"`out`.*\[2, 8\], got \[8, 2\]"):
        tilewright.rms_norm(x, numpy.ones(8, numpy.float32), out=numpy.ones((8, 2), numpy.float32))


@pytest.mark.parametrize("dtype", ["float64", "int32", "complex64", "bool"])
def test_rms_norm_unsupported_dtype_raises_dtype_error_with_its_name(dtype: str) -> None:
    x = numpy.ones((2, 8), dtype)
    with pytest.raises(errors.DTypeError, match=f"rms_norm: `x` is {dtype}, expected float32"):
        tilewright.rms_norm(x, numpy.ones(8, dtype))


@pytest.mark.parametrize(
    ("x", "weight", "expected"),
    [
        ("float32", "float16", "float32, the dtype of `x`"),
        ("float16", "float64", "float32, float16 or bfloat16"),
        ("float16", "bfloat16", "float16, the dtype of `x`, or float32"),
    ],
)
def test_rms_norm_mixed_dtypes_raise_dtype_error_with_both_names(
    x: str, weight: str, expected: str
) -> None:
    arrays = [FakeArray(numpy.ones(8), dtype=name) for name in (x, weight, x)]
    with pytest.raises(errors.DTypeError, match=f"`weight` is {weight}, expected {expected}$"):
        tilewright.rms_norm(arrays[0], arrays[1], out=arrays[2])


def test_rms_norm_partly_overlapping_out_raises_overlap_error() -> None:
    memory = numpy.ones((3, 8), numpy.float32)
    with pytest.raises(errors.OverlapError, match="`out`.*overlaps `x`"):
        tilewright.rms_norm(memory[:2], numpy.ones(8, numpy.float32), out=memory[1:])


def test_rms_norm_out_overlapping_weight_raises_overlap_error() -> None:
    memory = numpy.ones((3, 8), numpy.float32)
    with pytest.raises(errors.OverlapError, match="`out`.*overlaps `weight`"):
        tilewright.rms_norm(numpy.ones((3, 8), numpy.float32), memory[1], out=memory)


@pytest.mark.parametrize("eps", [-1e-6, float("nan"), float("inf")])
def test_rms_norm_bad_eps_raises_invalid_argument_error(eps: float) -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.InvalidArgumentError, match="rms_norm: `eps` is"):
        tilewright.rms_norm(x, numpy.ones(8, numpy.float32), eps)


@pytest.mark.parametrize(
    "eps", ["a", None, 10**400, numpy.ones(2)], ids=["text", "none", "too large", "array"]
)
def test_rms_norm_eps_that_is_no_float_raises_invalid_argument_error(eps: Any) -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.InvalidArgumentError, match="^rms_norm: `eps` is no float: "):
        tilewright.rms_norm(x, numpy.ones(8, numpy.float32), eps)


def test_rms_norm_failed_call_leaves_out_untouched() -> None:
    out = numpy.full((2, 8), 7, numpy.float32)
    with pytest.raises(errors.ShapeError):
        tilewright.rms_norm(
            numpy.ones((2, 8), numpy.float32), numpy.ones(9, numpy.float32), out=out
        )
    numpy.testing.assert_array_equal(out, 7)
