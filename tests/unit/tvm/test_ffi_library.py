# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""libtilewright_ffi.so as tvm-ffi calls it. With the real package: tests/e2e/tvm_coexistence."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy
import pytest

from tests.support.child import run_python
from tests.support.dlpack_structs import DLTensor
from tilewright import tvm

NONE, INT, FLOAT, DLTENSOR = 0, 1, 3, 7  # TVMFFITypeIndex
CPU, DL_FLOAT = 1, 2


class Content(ctypes.Union):
    """The union inside `TVMFFIAny`."""

    _fields_ = (("int", ctypes.c_int64), ("float", ctypes.c_double), ("pointer", ctypes.c_void_p))


class Value(ctypes.Structure):
    """`TVMFFIAny`."""

    _fields_ = (("type_index", ctypes.c_int32), ("padding", ctypes.c_uint32), ("content", Content))


class Text(ctypes.Structure):
    """`TVMFFIByteArray`."""

    _fields_ = (("data", ctypes.c_char_p), ("size", ctypes.c_size_t))


class Error(ctypes.Structure):
    """The beginning of an error object: `TVMFFIObject`, then `TVMFFIErrorCell`."""

    _fields_ = (("header", ctypes.c_uint64 * 3), ("kind", Text), ("message", Text))


class Library:
    """libtilewright_ffi.so beside libtvm_ffi.so."""

    def __init__(self, tvm_ffi: str) -> None:
        # In tvm_ffi's order: its own library first, for the whole process.
        self._runtime = ctypes.CDLL(tvm_ffi, mode=ctypes.RTLD_GLOBAL)
        self._library = ctypes.CDLL(tvm.ffi_library_path())

    def call(self, name: str, *arguments: Any) -> str | None:
        """Calls a function; returns the error's kind and message, or None."""
        values = (Value * max(len(arguments), 1))()
        alive: list[object] = []
        for value, argument in zip(values, arguments, strict=False):
            if isinstance(argument, numpy.ndarray):
                shape = (ctypes.c_int64 * argument.ndim)(*argument.shape)
                tensor = DLTensor(argument.ctypes.data, (CPU, 0), argument.ndim)
                tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = DL_FLOAT, 32, 1
                tensor.shape = shape
                alive += [shape, tensor]
                value.type_index, value.content.pointer = DLTENSOR, ctypes.addressof(tensor)
            elif isinstance(argument, float):
                value.type_index, value.content.float = FLOAT, argument
            elif isinstance(argument, int):
                value.type_index, value.content.int = INT, argument
        result = Value(99)
        if (
            self._library[f"__tvm_ffi_{name}"](None, values, len(arguments), ctypes.byref(result))
            == 0
        ):
            assert result.type_index == NONE
            return None
        error = ctypes.POINTER(Error)()
        self._runtime.TVMFFIErrorMoveFromRaised(ctypes.byref(error))
        text = f"{error.contents.kind.data.decode()}: {error.contents.message.data.decode()}"
        self._runtime.TVMFFIObjectDecRef(error)
        return text


@pytest.fixture(scope="module")
def library(tvm_ffi_library: str) -> Library:
    return Library(tvm_ffi_library)


def rms_norm(x: Any, weight: Any, eps: float) -> Any:
    wide = x.astype(numpy.float64)
    return wide / numpy.sqrt(numpy.mean(wide**2, axis=-1, keepdims=True) + eps) * weight


X = numpy.random.default_rng(1).standard_normal((3, 40)).astype(numpy.float32)
WEIGHT = numpy.random.default_rng(2).standard_normal(40).astype(numpy.float32)


def test_ffi_rms_norm_matches_reference(library: Library) -> None:
    out = numpy.zeros_like(X)
    assert library.call("rms_norm", X, WEIGHT, 1e-6, out) is None
    numpy.testing.assert_allclose(out, rms_norm(X, WEIGHT, 1e-6), rtol=1e-5, atol=1e-6)


def test_ffi_rms_norm_takes_an_int_for_eps(library: Library) -> None:
    out = numpy.zeros_like(X)
    assert library.call("rms_norm", X, WEIGHT, 1, out) is None
    numpy.testing.assert_allclose(out, rms_norm(X, WEIGHT, 1.0), rtol=1e-5, atol=1e-6)


def test_ffi_add_rms_norm_works_in_place(library: Library) -> None:
    x, residual = X.copy(), numpy.ones_like(X)
    assert library.call("add_rms_norm", x, residual, WEIGHT, 1e-6) is None
    numpy.testing.assert_allclose(residual, X + 1, rtol=1e-6)
    numpy.testing.assert_allclose(x, rms_norm(X + 1, WEIGHT, 1e-6), rtol=1e-5, atol=1e-6)


def test_ffi_silu_and_mul_matches_reference(library: Library) -> None:
    out = numpy.zeros((3, 20), numpy.float32)
    assert library.call("silu_and_mul", X, out) is None
    gate, factor = X[:, :20].astype(numpy.float64), X[:, 20:]
    numpy.testing.assert_allclose(out, gate / (1 + numpy.exp(-gate)) * factor, rtol=1e-5, atol=1e-6)


def test_ffi_wrong_shape_is_a_value_error_with_the_shapes(library: Library) -> None:
    error = library.call("rms_norm", X, WEIGHT[:39], 1e-6, numpy.zeros_like(X))
    assert error is not None
    assert error.startswith("ValueError: rms_norm: ")
    assert "40" in error
    assert "39" in error


def test_ffi_wrong_number_of_arguments_is_a_type_error(library: Library) -> None:
    assert library.call("silu_and_mul", X) == (
        "TypeError: `silu_and_mul(x, out)` takes 2 arguments, got 1"
    )


def test_ffi_library_path_tells_the_library_where_cuda_may_be() -> None:
    code = """
import ctypes, json
from tilewright import tvm
from tilewright._internal.extension import HOST_LIBRARY
tvm.ffi_library_path()
report = ctypes.CDLL(HOST_LIBRARY).tw_cuda_report
report.restype = ctypes.c_char_p
assert json.loads(report())["search_path"]
"""
    child = run_python("-c", code)
    assert child.returncode == 0, child.stderr


@pytest.mark.parametrize("arguments", [(1, WEIGHT, 1e-6, X), (X, WEIGHT, X, X)])
def test_ffi_argument_of_another_kind_is_a_type_error(
    library: Library, arguments: tuple[Any, ...]
) -> None:
    error = library.call("rms_norm", *arguments)
    assert error is not None
    assert error.startswith("TypeError: `rms_norm(x, weight, eps, out)`: argument ")
