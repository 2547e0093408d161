# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pathlib
from typing import Any

import ml_dtypes
import numpy
import pytest

import tilewright
from tests.support import reference
from tests.support.cases import random_values
from tests.support.tolerance import assert_close
from tilewright import errors

ONES = numpy.ones(8, numpy.float32)


def test_numpy_arrays_read_only_input_is_accepted() -> None:
    x = random_values((3, 8), seed=1).astype(numpy.float32)
    x.setflags(write=False)
    assert_close(tilewright.rms_norm(x, ONES), reference.rms_norm(x, 1.0), "float32", "seed 1")


def test_numpy_arrays_read_only_out_raises_read_only_error_with_a_hint() -> None:
    out = numpy.full((3, 8), 5, numpy.float32)
    out.setflags(write=False)
    with pytest.raises(errors.ReadOnlyError, match=r"rms_norm: `out`.*\(3, 8\).*\nhint: .*copy"):
        tilewright.rms_norm(numpy.ones((3, 8), numpy.float32), ONES, out=out)
    assert (out == 5).all()


@pytest.mark.parametrize(
    ("array", "name"),
    [
        (numpy.ones((3, 8), ">f4"), ">f4"),
        (numpy.ones((3, 8), [("real", "f4")]), "real"),
        (numpy.full((3, 8), "a"), "U1"),
        (numpy.full((3, 8), None), "object"),
        (numpy.ones((3, 8), numpy.longdouble), "float128"),
        (numpy.ones((3, 8), "V0"), r"\|V0"),
        (numpy.ones((3, 8), numpy.dtype(ml_dtypes.bfloat16).newbyteorder(">")), ">V2"),
    ],
)
def test_numpy_arrays_dtype_that_dlpack_lacks_raises_dtype_error_with_it(
    array: Any, name: str
) -> None:
    with pytest.raises(errors.DTypeError, match=f"rms_norm: `x`, .*{name}.*\nhint: "):
        tilewright.rms_norm(array, ONES)


@pytest.mark.parametrize("name", ["x", "residual", "weight", "out"])
def test_numpy_arrays_masked_array_raises_invalid_argument_error(name: str) -> None:
    shapes = {"x": (3, 8), "residual": (3, 8), "weight": (8,), "out": (3, 8)}
    arrays: dict[str, Any] = {key: numpy.ones(shape, "f4") for key, shape in shapes.items()}
    arrays[name] = numpy.ma.masked_equal(arrays[name], 3)
    with pytest.raises(errors.InvalidArgumentError, match=f"`{name}` is a masked.*\nhint: .*data"):
        if name == "residual":
            tilewright.add_rms_norm(arrays["x"], arrays["residual"], arrays["weight"])
        else:
            tilewright.rms_norm(arrays["x"], arrays["weight"], out=arrays["out"])


def test_numpy_arrays_other_subclass_gives_a_plain_array(tmp_path: pathlib.Path) -> None:
    x = numpy.memmap(tmp_path / "x", numpy.float32, "w+", shape=(3, 8))
    x[:] = 1
    assert type(tilewright.rms_norm(x, ONES)) is numpy.ndarray
    assert type(tilewright.silu_and_mul(x)) is numpy.ndarray
    assert tilewright.rms_norm(x, ONES, out=x) is x


def test_numpy_arrays_result_beyond_memory_raises_out_of_memory_error() -> None:
    x = numpy.broadcast_to(ONES, (1 << 50, 8))
    with pytest.raises(errors.OutOfMemoryError, match=r"rms_norm: .* `x`, float32 of shape \(11"):
        tilewright.rms_norm(x, ONES)
    with pytest.raises(errors.OutOfMemoryError, match="silu_and_mul: .* `x`"):
        tilewright.silu_and_mul(x)


def test_numpy_arrays_stride_between_elements_raises_stride_error_with_it() -> None:
    x = numpy.ones((3, 8), [("value", numpy.float32), ("flag", numpy.uint8)])["value"]
    with pytest.raises(errors.StrideError, match=r"`x`, float32 .* byte strides \(40, 5\)"):
        tilewright.rms_norm(x, ONES)


def test_numpy_arrays_bfloat16_of_ml_dtypes_gives_the_same() -> None:
    x = random_values((3, 40), seed=2).astype(ml_dtypes.bfloat16)
    weight = random_values((40,), seed=3).astype(ml_dtypes.bfloat16)
    result = tilewright.rms_norm(x, weight)
    assert result.dtype == ml_dtypes.bfloat16
    expected = reference.rms_norm(x.astype(numpy.float64), weight.astype(numpy.float64))
    assert_close(result.astype(numpy.float64), expected, "bfloat16", "seeds 2, 3")


def test_numpy_arrays_bfloat16_in_place_and_strided() -> None:
    wide = random_values((4, 64), seed=4).astype(ml_dtypes.bfloat16)
    kept = wide.copy()
    expected = reference.rms_norm(wide[:, 8:40].astype(numpy.float64), 1.0)
    view = wide[:, 8:40]
    weight = numpy.ones(32, ml_dtypes.bfloat16)
    assert tilewright.rms_norm(view, weight, out=view) is view
    assert_close(view.astype(numpy.float64), expected, "bfloat16", "seed 4")
    assert (wide[:, :8] == kept[:, :8]).all()
    assert (wide[:, 40:] == kept[:, 40:]).all()


def test_numpy_arrays_other_dtype_of_ml_dtypes_raises_dtype_error_with_it() -> None:
    with pytest.raises(errors.DTypeError, match="`x`.*float8_e4m3fn"):
        tilewright.rms_norm(numpy.ones((3, 8), ml_dtypes.float8_e4m3fn), ONES)


def test_numpy_arrays_old_release_without_max_version_is_lent_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tilewright._internal.producers.numpy_arrays import NumpyArrays

    class Old:
        __version__ = "2.0.2"
        uint16 = numpy.uint16
        ndarray = numpy.ndarray
        empty = staticmethod(numpy.empty)

    producer = NumpyArrays(Old)  # type: ignore[arg-type]
    monkeypatch.setitem(tilewright._internal.arrays._by_type, numpy.ndarray, producer)
    x = random_values((3, 8), seed=5).astype(numpy.float32)
    x.setflags(write=False)  # which that release cannot lend, so that it is copied
    assert_close(tilewright.rms_norm(x, ONES), reference.rms_norm(x, 1.0), "float32", "seed 5")
