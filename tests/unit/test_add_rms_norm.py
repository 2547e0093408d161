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
def test_add_rms_norm_matches_reference(shape: tuple[int, ...], dtype: str) -> None:
    x = array_of(random_values(shape, seed=1), dtype)
    residual = array_of(random_values(shape, seed=2), dtype)
    weight = array_of(random_values(shape[-1:], seed=3), dtype)
    expected_residual = values_of(x) + values_of(residual)
    new_x, new_residual = tilewright.add_rms_norm(x, residual, weight)
    assert new_x is x
    assert new_residual is residual
    assert_close(values_of(residual), expected_residual, dtype, "seeds 1, 2")
    expected_x = reference.rms_norm(values_of(residual), values_of(weight))
    assert_close(values_of(x), expected_x, dtype, "seeds 1 to 3")


def test_add_rms_norm_norm_is_that_of_the_stored_sum() -> None:
    # 1 + 2^-11 is stored as 1 in float16. A norm of the unrounded sum would give 774.5.
    x = numpy.array([[1, 1, 1, 2]], numpy.float16)
    residual = numpy.array([[2**-11, 2**-11, 2**-11, 0]], numpy.float16)
    tilewright.add_rms_norm(x, residual, numpy.full(4, 1024, numpy.float16), eps=0.0)
    numpy.testing.assert_array_equal(residual, [[1, 1, 1, 2]])
    numpy.testing.assert_array_equal(x, [[774, 774, 774, 1548]])


def test_add_rms_norm_eps_is_inside_the_root() -> None:
    x, residual = (array_of(random_values((2, 10), seed=s), "float32") for s in (4, 5))
    weight = numpy.ones(10, numpy.float32)
    tilewright.add_rms_norm(x, residual, weight, 3.0)
    expected = reference.rms_norm(values_of(residual), 1.0, eps=3.0)
    assert_close(x, expected, "float32", "seeds 4, 5")


def test_add_rms_norm_strided_rows_leave_what_is_between_them() -> None:
    wide = array_of(random_values((5, 40), seed=6), "float32")
    kept = wide.copy()
    x, residual = wide[:, :16], wide[:, 20:36]
    tilewright.add_rms_norm(x, residual, numpy.ones(16, numpy.float32))
    numpy.testing.assert_array_equal(residual, kept[:, :16] + kept[:, 20:36])
    assert_close(x, reference.rms_norm(values_of(residual), 1.0), "float32", "seed 6")
    numpy.testing.assert_array_equal(wide[:, 16:20], kept[:, 16:20])
    numpy.testing.assert_array_equal(wide[:, 36:], kept[:, 36:])


def test_add_rms_norm_same_array_twice_raises_overlap_error() -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.OverlapError, match="overlaps"):
        tilewright.add_rms_norm(x, x, numpy.ones(8, numpy.float32))


def test_add_rms_norm_residual_of_another_shape_raises_shape_error_with_the_shapes() -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.ShapeError, match=r"`residual`.*\[2, 8\], got \[3, 8\]"):
        tilewright.add_rms_norm(x, numpy.ones((3, 8), numpy.float32), numpy.ones(8, numpy.float32))


def test_add_rms_norm_residual_of_another_dtype_raises_dtype_error_with_both_names() -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.DTypeError, match=r"`residual`.*got float16 and float32"):
        tilewright.add_rms_norm(x, numpy.ones((2, 8), numpy.float16), numpy.ones(8, numpy.float32))


@pytest.mark.parametrize("frozen", ["x", "residual"])
def test_add_rms_norm_read_only_array_raises_read_only_error(frozen: str) -> None:
    arrays = {name: numpy.ones((2, 8), numpy.float32) for name in ("x", "residual")}
    arrays[frozen].setflags(write=False)
    with pytest.raises(errors.ReadOnlyError, match=f"add_rms_norm: `{frozen}` is a read-only"):
        tilewright.add_rms_norm(arrays["x"], arrays["residual"], numpy.ones(8, numpy.float32))
    for array in arrays.values():
        numpy.testing.assert_array_equal(array, 1)


def test_add_rms_norm_bad_eps_raises_invalid_argument_error() -> None:
    x, residual = numpy.ones((2, 2, 8), numpy.float32)
    with pytest.raises(errors.InvalidArgumentError, match="add_rms_norm: `eps` is"):
        tilewright.add_rms_norm(x, residual, numpy.ones(8, numpy.float32), -1.0)
