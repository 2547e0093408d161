# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The DLPack protocol, seen from a producer that counts."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilewright
from tests.support import reference
from tests.support.cases import random_values
from tests.support.fake_dlpack import FakeArray
from tests.support.tolerance import assert_close
from tilewright import _C, errors

VERSIONS = [None, (1, 0), (1, 1), (1, 9)]


def norm_of(x: FakeArray, **changes: Any) -> tuple[FakeArray, FakeArray]:
    """Runs rms_norm on `x`; returns the weight and `out`, made with `changes`."""
    weight = FakeArray(numpy.ones(x.shape[-1:]), version=(1, 0))
    out = FakeArray(numpy.zeros(x.shape), **changes)
    tilewright.rms_norm(x, weight, out=out)
    return weight, out


@pytest.mark.parametrize("version", VERSIONS)
def test_lending_success_gives_back_each_array_once(version: tuple[int, int] | None) -> None:
    x = FakeArray(random_values((3, 8), seed=1), version=version)
    weight, out = norm_of(x, version=version)
    assert [(a.lent, a.returned) for a in (x, weight, out)] == [(1, 1)] * 3
    assert_close(out.values, reference.rms_norm(x.values, 1.0), "float32", "seed 1")


@pytest.mark.parametrize("version", VERSIONS)
def test_lending_operator_failure_gives_back_each_array_once(
    version: tuple[int, int] | None,
) -> None:
    x, out = (FakeArray(numpy.ones((3, 8)), version=version) for _ in range(2))
    weight = FakeArray(numpy.ones(9), version=version)
    with pytest.raises(errors.ShapeError):
        tilewright.rms_norm(x, weight, out=out)
    assert [(a.lent, a.returned) for a in (x, weight, out)] == [(1, 1)] * 3


@pytest.mark.parametrize("version", VERSIONS)
def test_lending_refusal_of_a_later_array_gives_back_the_earlier_ones(
    version: tuple[int, int] | None,
) -> None:
    x = FakeArray(numpy.ones((3, 8)), version=version)
    weight = FakeArray(numpy.ones(8), version=version)
    out = FakeArray(numpy.ones((3, 8)), lends=False)
    with pytest.raises(errors.InvalidArgumentError, match="`out`.*this array cannot be lent"):
        tilewright.rms_norm(x, weight, out=out)
    assert [(a.lent, a.returned) for a in (x, weight)] == [(1, 1)] * 2


@pytest.mark.parametrize("method", ["__dlpack__", "__dlpack_device__"])
@pytest.mark.parametrize("failure", [AttributeError, BufferError, NotImplementedError, ValueError])
def test_lending_method_that_raises_becomes_invalid_argument_error(
    method: str, failure: type[Exception]
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise failure("not today")

    refusing = type("Refusing", (FakeArray,), {method: refuse})
    x, weight, out = (refusing(numpy.ones(8)) for _ in range(3))
    with pytest.raises(errors.InvalidArgumentError, match="^rms_norm: `x`.*not today"):
        tilewright.rms_norm(x, weight, out=out)


@pytest.mark.parametrize("place", ["x", "weight", "out"])
def test_lending_unknown_major_version_is_refused_and_given_back(place: str) -> None:
    arrays = {
        name: FakeArray(numpy.ones(shape), version=(2, 0) if name == place else None)
        for name, shape in (("x", (3, 8)), ("weight", (8,)), ("out", (3, 8)))
    }
    with pytest.raises(errors.InvalidArgumentError, match=rf"rms_norm: `{place}`.*version 2\.0"):
        tilewright.rms_norm(arrays["x"], arrays["weight"], out=arrays["out"])
    assert [(a.lent, a.returned) for a in arrays.values()] == [(1, 1)] * 3


def test_lending_read_only_input_is_accepted() -> None:
    x = FakeArray(random_values((3, 8), seed=2), version=(1, 1), read_only=True)
    _, out = norm_of(x)
    assert_close(out.values, reference.rms_norm(x.values, 1.0), "float32", "seed 2")


def test_lending_read_only_output_raises_read_only_error_and_is_not_written() -> None:
    x = FakeArray(numpy.ones((3, 8)))
    weight = FakeArray(numpy.ones(8))
    out = FakeArray(numpy.full((3, 8), 5.0), version=(1, 1), read_only=True)
    with pytest.raises(errors.ReadOnlyError, match="rms_norm: `out` is read-only"):
        tilewright.rms_norm(x, weight, out=out)
    assert (out.values == 5).all()
    assert out.returned == 1


def test_lending_byte_offset_is_where_the_array_begins() -> None:
    x = FakeArray(random_values((31,), seed=3), shape=(3, 8), offset=7)
    _, out = norm_of(x)
    expected = reference.rms_norm(x.values[7:].reshape(3, 8), 1.0)
    assert_close(out.values, expected, "float32", "seed 3")


def test_lending_null_strides_mean_compact() -> None:
    x = FakeArray(random_values((2, 3, 8), seed=4), null_strides=True)
    _, out = norm_of(x, null_strides=True)
    assert_close(out.values, reference.rms_norm(x.values, 1.0), "float32", "seed 4")


def test_lending_negative_row_stride_reads_rows_backwards() -> None:
    x = FakeArray(random_values((3, 8), seed=5), strides=(-8, 1), offset=16)
    _, out = norm_of(x)
    assert_close(out.values, reference.rms_norm(x.values[::-1], 1.0), "float32", "seed 5")


def test_lending_negative_last_stride_raises_stride_error_with_the_strides() -> None:
    x = FakeArray(numpy.ones((3, 8)), strides=(8, -1), offset=7)
    with pytest.raises(errors.StrideError, match=r"`x` has strides \[8, -1\]"):
        norm_of(x)


def test_lending_rows_that_do_not_collapse_raise_stride_error() -> None:
    x = FakeArray(numpy.ones(64), shape=(2, 2, 8), strides=(40, 8, 1))
    with pytest.raises(errors.StrideError, match=r"do not collapse into one row stride"):
        norm_of(x)


def test_lending_unsupported_device_raises_device_error_with_its_name() -> None:
    x = FakeArray(numpy.ones((3, 8)), device=(8, 1))
    with pytest.raises(errors.DeviceError, match=r"`x` is on metal:1"):
        norm_of(x)


def test_lending_arrays_on_two_devices_raise_device_error_with_both() -> None:
    x = FakeArray(numpy.ones((3, 8)), device=(2, 1))
    with pytest.raises(errors.DeviceError, match=r"`x` on cuda:1 and `weight` on cpu"):
        norm_of(x)
    assert x.returned == 1


def test_lending_asks_cpu_arrays_for_no_stream_and_cuda_arrays_for_the_default_one() -> None:
    on_cpu = FakeArray(numpy.ones((3, 8)))
    norm_of(on_cpu)
    on_gpu = FakeArray(numpy.ones((3, 8)), device=(2, 0))
    with pytest.raises(errors.DeviceError):
        norm_of(on_gpu)
    assert on_cpu.streams == [None]
    assert on_gpu.streams == [1]


def test_lending_consumed_capsule_is_refused() -> None:
    x, weight, out = (FakeArray(numpy.ones(8)) for _ in range(3))
    capsule = x.__dlpack__()
    _C.rms_norm(capsule, weight.__dlpack__(), 0.0, out.__dlpack__(), 0)
    with pytest.raises(errors.InvalidArgumentError, match="`x` is no DLPack capsule, or was"):
        _C.rms_norm(capsule, weight.__dlpack__(), 0.0, out.__dlpack__(), 0)
    assert [(a.lent, a.returned) for a in (x, weight, out)] == [(1, 1), (2, 2), (2, 2)]


def test_lending_something_else_than_a_capsule_is_refused() -> None:
    with pytest.raises(errors.InvalidArgumentError, match="`x` is no DLPack capsule"):
        _C.silu_and_mul(3, FakeArray(numpy.ones(8)).__dlpack__(), 0)
