# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""An array of a library that tilewright has never heard of, lying about whatever a test wants.

Its memory is NumPy's, on the CPU; what it says through DLPack about dtype, device, strides, offset,
version and permissions is up to the test. It counts how often its memory was lent and given back.

Its capsules have no destructor, which would run Python code while an exception is on its way. One
that nobody consumed counts as given back, because a destructor would see to that.
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Sequence
from typing import Any

import numpy

from tests.support import bfloat16
from tests.support.dlpack_structs import (
    Deleter,
    DLManagedTensor,
    DLManagedTensorVersioned,
    DLTensor,
)

__all__ = ["FakeArray"]

# DLDataType (code, bits) by name, and NumPy's dtype of the same size.
_DTYPES = {
    "float32": ((2, 32), numpy.float32),
    "float16": ((2, 16), numpy.float16),
    "bfloat16": ((4, 16), numpy.uint16),
    "float64": ((2, 64), numpy.float64),
    "int32": ((0, 32), numpy.int32),
}

_UNVERSIONED = b"dltensor"
_VERSIONED = b"dltensor_versioned"

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype = ctypes.c_int
_is_valid.argtypes = (ctypes.py_object, ctypes.c_char_p)
_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)


class FakeArray:
    """See the module's docstring.

    Args:
        values: the elements, rounded to `dtype`.
        dtype: a key of the table above.
        strides: in elements; None for a compact array that does say so with a null pointer when
            `null_strides` is set.
        offset: of the first element in the memory, in elements.
        device: as `__dlpack_device__` gives it, and the tensor too.
        version: None for an unversioned capsule, else `(major, minor)`.
        read_only: sets the flag, which only versioned capsules have.
        lends: when False, `__dlpack__` raises BufferError.
    """

    def __init__(
        self,
        values: Any,
        dtype: str = "float32",
        *,
        shape: Sequence[int] | None = None,
        strides: Sequence[int] | None = None,
        null_strides: bool = False,
        offset: int = 0,
        device: tuple[int, int] = (1, 0),
        version: tuple[int, int] | None = None,
        read_only: bool = False,
        lends: bool = True,
    ) -> None:
        values = numpy.asarray(values, dtype=numpy.float64)
        storage = _DTYPES[dtype][1]
        self.memory = (
            bfloat16.to_bits(values) if dtype == "bfloat16" else values.astype(storage)
        ).copy()
        self.dtype = dtype
        self.shape = tuple(values.shape if shape is None else shape)
        self.lent = 0
        self.deleted = 0
        self.streams: list[Any] = []
        self._strides = strides
        self._null_strides = null_strides
        self._offset = offset
        self._device = device
        self._version = version
        self._read_only = read_only
        self._lends = lends
        self._alive: list[Any] = []
        self._capsules: list[tuple[Any, bytes]] = []

    @property
    def returned(self) -> int:
        """How many loans have ended."""
        unconsumed = [capsule for capsule in self._capsules if _is_valid(*capsule)]
        return self.deleted + len(unconsumed)

    @property
    def values(self) -> Any:
        """The memory as float64, whatever the strides say."""
        if self.dtype == "bfloat16":
            return bfloat16.from_bits(self.memory)
        return self.memory.astype(numpy.float64)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None) -> Any:
        if not self._lends:
            raise BufferError("this array cannot be lent")
        self.streams.append(stream)
        managed = (DLManagedTensor if self._version is None else DLManagedTensorVersioned)()
        shape = (ctypes.c_int64 * len(self.shape))(*self.shape)
        strides = (ctypes.c_int64 * len(self.shape))(*self._compact_or_given_strides())
        self._describe(managed.dl_tensor, shape, strides)
        if self._version is not None:
            managed.major, managed.minor = self._version
            managed.flags = 1 if self._read_only else 0
        address = ctypes.addressof(managed)
        name = _UNVERSIONED if self._version is None else _VERSIONED

        def give_back(pointer: int) -> None:
            assert pointer == address, "the deleter was called with another tensor"
            self.deleted += 1

        managed.deleter = Deleter(give_back)
        # Kept for good: freeing a callback from within itself is not allowed.
        self._alive.append((managed, shape, strides))
        self.lent += 1
        capsule = _new_capsule(address, name, None)
        self._capsules.append((capsule, name))
        return capsule

    def __array_namespace__(self) -> Any:
        return types.SimpleNamespace(from_dlpack=_from_dlpack)

    def _compact_or_given_strides(self) -> list[int]:
        if self._strides is not None:
            return list(self._strides)
        strides = [1] * len(self.shape)
        for axis in reversed(range(len(self.shape) - 1)):
            strides[axis] = strides[axis + 1] * self.shape[axis + 1]
        return strides

    def _describe(self, tensor: DLTensor, shape: Any, strides: Any) -> None:
        code, bits = _DTYPES[self.dtype][0]
        tensor.data = self.memory.ctypes.data
        tensor.byte_offset = self._offset * self.memory.itemsize
        tensor.device.device_type, tensor.device.device_id = self._device
        tensor.ndim = len(self.shape)
        tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = code, bits, 1
        tensor.shape = shape
        if not self._null_strides:
            tensor.strides = strides


def _from_dlpack(producer: Any) -> FakeArray:
    """A copy of a compact CPU array."""
    capsule = producer.__dlpack__(max_version=(1, 1))
    pointer = _get_pointer(capsule, _VERSIONED)
    assert pointer is not None
    tensor = DLManagedTensorVersioned.from_address(pointer).dl_tensor
    key = (tensor.dtype.code, tensor.dtype.bits)
    name, storage = next((n, dtype) for n, (k, dtype) in _DTYPES.items() if k == key)
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    array = FakeArray(numpy.zeros(shape), name)
    size = int(numpy.prod(shape)) * numpy.dtype(storage).itemsize
    ctypes.memmove(array.memory.ctypes.data, tensor.data + tensor.byte_offset, size)
    return array
