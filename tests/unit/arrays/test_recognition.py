# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Which library an array belongs to, and what is said of things that are no arrays."""

from __future__ import annotations

import types
from typing import Any

import numpy
import pytest

import tilewright
from tests.support import reference
from tests.support.cases import random_values
from tests.support.fake_dlpack import FakeArray
from tests.support.tolerance import assert_close
from tilewright import _C, errors


class OtherArray(FakeArray):
    """Of another library."""


@pytest.mark.parametrize(
    ("thing", "name"),
    [([1.0], "list"), (1.0, "float"), (None, "NoneType"), (memoryview(b""), "me")],
)
def test_recognition_no_array_raises_invalid_argument_error_with_its_type(
    thing: Any, name: str
) -> None:
    with pytest.raises(errors.InvalidArgumentError, match=f"rms_norm: `x` is a `{name}.*\nhint: "):
        tilewright.rms_norm(thing, numpy.ones(8, numpy.float32))


def test_recognition_names_the_argument_that_is_no_array() -> None:
    x = numpy.ones((2, 8), numpy.float32)
    with pytest.raises(errors.InvalidArgumentError, match="rms_norm: `weight` is a `list`"):
        tilewright.rms_norm(x, [1.0])  # type: ignore[type-var]
    with pytest.raises(errors.InvalidArgumentError, match="silu_and_mul: `out` is a `int`"):
        tilewright.silu_and_mul(x, out=3)  # type: ignore[arg-type]


def test_recognition_numpy_scalar_is_no_array() -> None:
    with pytest.raises(errors.InvalidArgumentError, match=r"`x` is a `numpy.float32`"):
        tilewright.silu_and_mul(numpy.float32(1))


def test_recognition_arrays_of_two_libraries_raise_invalid_argument_error_with_both() -> None:
    x = numpy.ones((2, 8), numpy.float32)
    pattern = r"`x` is of NumPy \(`numpy.ndarray`\) and `weight` of `tests.support.fake_dlpack.Fake"
    with pytest.raises(errors.InvalidArgumentError, match=pattern):
        tilewright.rms_norm(x, FakeArray(numpy.ones(8)))


def test_recognition_numpy_subclass_counts_as_numpy() -> None:
    class Special(numpy.ndarray[Any, Any]):
        pass

    x = numpy.ones((2, 8), numpy.float32).view(Special)
    result = tilewright.rms_norm(x, numpy.ones(8, numpy.float32))
    assert type(result) is numpy.ndarray


def test_recognition_own_tensor_gives_own_tensor() -> None:
    x = _C.Tensor.empty((2, 8), "float32")
    source = FakeArray(random_values((2, 16), seed=1))
    _C.silu_and_mul(source.__dlpack__(), x.__dlpack__(), 0)
    result = tilewright.silu_and_mul(x)
    assert isinstance(result, _C.Tensor)
    values = numpy.from_dlpack(x).astype(numpy.float64)
    assert_close(numpy.from_dlpack(result), reference.silu_and_mul(values), "float32", "seed 1")


def test_recognition_array_without_importer_needs_out() -> None:
    class Closed(FakeArray):
        __array_namespace__ = property()

    x, weight, out = (Closed(numpy.ones(8)) for _ in range(3))
    with pytest.raises(
        errors.InvalidArgumentError, match=r"cannot make a .*Closed.*\nhint: pass `out"
    ):
        tilewright.rms_norm(x, weight)
    assert tilewright.rms_norm(x, weight, out=out) is out


def test_recognition_array_that_its_library_refuses_to_make_needs_out() -> None:
    class Refusing(FakeArray):
        def __array_namespace__(self) -> Any:
            return types.SimpleNamespace(from_dlpack=refuse)

    def refuse(_: Any) -> Any:
        raise BufferError("not today")

    x, weight, out = (Refusing(numpy.ones(8)) for _ in range(3))
    with pytest.raises(
        errors.InvalidArgumentError, match=r"^rms_norm: .*Refusing.*not today\nhint: pass `out`"
    ):
        tilewright.rms_norm(x, weight)
    assert tilewright.rms_norm(x, weight, out=out) is out


def test_recognition_wrong_dtype_without_out_raises_dtype_error_with_the_argument() -> None:
    with pytest.raises(errors.DTypeError, match=r"^rms_norm: .*`x`.*`int32`.*\nhint: "):
        tilewright.rms_norm(FakeArray(numpy.ones(8), "int32"), FakeArray(numpy.ones(8)))


def test_recognition_array_without_shape_needs_out() -> None:
    class Shapeless:
        def __init__(self) -> None:
            self.inner = FakeArray(numpy.ones(8))

        def __dlpack__(self, *, stream: Any = None) -> Any:
            return self.inner.__dlpack__(stream=stream)

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    x, weight, out = (Shapeless() for _ in range(3))
    with pytest.raises(errors.InvalidArgumentError, match=r"has no `shape`.*\nhint: pass `out`"):
        tilewright.rms_norm(x, weight)
    assert tilewright.rms_norm(x, weight, out=out) is out
    assert out.inner.values == pytest.approx(numpy.ones(8))


def test_recognition_two_kinds_of_unknown_library_are_refused() -> None:
    with pytest.raises(errors.InvalidArgumentError, match="of different libraries"):
        tilewright.rms_norm(FakeArray(numpy.ones(8)), OtherArray(numpy.ones(8)))
