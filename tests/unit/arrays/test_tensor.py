# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`_C.Tensor`, the memory that tilewright owns."""

from __future__ import annotations

import gc
import math

import numpy
import pytest

from tests.support.fake_dlpack import FakeArray
from tilewright import _C, errors


@pytest.mark.parametrize(("dtype", "itemsize"), [("float32", 4), ("float16", 2)])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)])
def test_tensor_empty_is_lent_compact_and_aligned(
    shape: tuple[int, ...], dtype: str, itemsize: int
) -> None:
    tensor = _C.Tensor.empty(shape, dtype)
    array = numpy.from_dlpack(tensor)
    assert (tensor.shape, tensor.dtype) == (shape, dtype)
    assert (array.shape, array.dtype.name, array.itemsize) == (shape, dtype, itemsize)
    assert array.flags.c_contiguous
    assert array.ctypes.data % 256 == 0


def test_tensor_lent_twice_shares_memory() -> None:
    tensor = _C.Tensor.empty((4,), "float32")
    out = FakeArray(numpy.zeros(4))
    _C.silu_and_mul(FakeArray(numpy.full(8, 3.0)).__dlpack__(), tensor.__dlpack__(), 0)
    _C.rms_norm(
        tensor.__dlpack__(max_version=(1, 1)),
        FakeArray(numpy.ones(4)).__dlpack__(),
        0.0,
        out.__dlpack__(),
        0,
    )
    numpy.testing.assert_allclose(numpy.from_dlpack(tensor), 9 / (1 + math.exp(-3)), rtol=1e-6)
    numpy.testing.assert_allclose(out.values, 1, rtol=1e-6)


def test_tensor_memory_outlives_the_tensor_while_it_is_lent() -> None:
    array = numpy.from_dlpack(_C.Tensor.empty((1000,), "float32"))
    capsule = _C.Tensor.empty((1000,), "float32").__dlpack__()
    gc.collect()
    others = [_C.Tensor.empty((1000,), "float32") for _ in range(8)]
    addresses = {numpy.from_dlpack(other).ctypes.data for other in others}
    assert array.ctypes.data not in addresses
    del capsule


@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), (1, 1), (2, 0)])
def test_tensor_capsule_is_versioned_when_the_consumer_understands_it(
    max_version: tuple[int, int] | None,
) -> None:
    capsule = _C.Tensor.empty((2,), "bfloat16").__dlpack__(max_version=max_version)
    versioned = max_version is not None and max_version >= (1, 0)
    assert ("dltensor_versioned" in repr(capsule)) == versioned


def test_tensor_device_is_the_cpu() -> None:
    assert _C.Tensor.empty((2,), "float32").__dlpack_device__() == (1, 0)


def test_tensor_copy_or_another_device_raises_buffer_error() -> None:
    tensor = _C.Tensor.empty((2,), "float32")
    with pytest.raises(BufferError, match="without a copy"):
        tensor.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="where it is"):
        tensor.__dlpack__(dl_device=(2, 0))


def test_tensor_unknown_dtype_raises_dtype_error_with_its_name() -> None:
    with pytest.raises(errors.DTypeError, match="`int32`"):
        _C.Tensor.empty((2,), "int32")


@pytest.mark.parametrize("shape", [(-1,), (2**62, 8), (2**61, 4)])
def test_tensor_impossible_shape_raises_shape_error(shape: tuple[int, ...]) -> None:
    with pytest.raises(errors.ShapeError, match="cannot make a tensor"):
        _C.Tensor.empty(shape, "float32")


def test_tensor_too_large_raises_out_of_memory_error_with_the_size() -> None:
    with pytest.raises(errors.OutOfMemoryError, match=str(2**60 * 4)):
        _C.Tensor.empty((2**60,), "float32")


def test_relabel_as_bfloat16_other_dtype_raises_invalid_argument_error() -> None:
    with pytest.raises(errors.InvalidArgumentError, match="uint16"):
        _C.relabel_as_bfloat16(FakeArray(numpy.ones(2), "float16").__dlpack__())
    with pytest.raises(errors.InvalidArgumentError, match="uint16"):
        _C.relabel_as_bfloat16(3)
