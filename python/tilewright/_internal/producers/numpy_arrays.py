# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays: on the CPU, perhaps read-only, and with no bfloat16 of NumPy's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from tilewright._internal.dlpack import MAX_VERSION
from tilewright._internal.extension import extension
from tilewright.errors import (
    DTypeError,
    InvalidArgumentError,
    OutOfMemoryError,
    ReadOnlyError,
    StrideError,
)

__all__ = ["NumpyArrays"]


class NumpyArrays:
    """Lends `numpy.ndarray` and its subclasses, but those with a mask, which would be lost.

    bfloat16 is the dtype of that name from the package ml_dtypes.
    """

    kind = "NumPy"

    def __init__(self, numpy: ModuleType) -> None:
        self._numpy = numpy
        # Older ones have neither `max_version` nor a way to lend a read-only array.
        major, minor = (int(part) for part in numpy.__version__.split(".")[:2])
        self._versioned = (major, minor) >= (2, 1)

    def borrow(self, operation: str, argument: str, array: Any, *, writes: bool = False) -> object:
        numpy = self._numpy
        if type(array) is not numpy.ndarray and isinstance(array, numpy.ma.MaskedArray):
            raise InvalidArgumentError(
                f"{operation}: `{argument}` is a masked array, {_describe(array)}, "
                f"and the operation knows no masks\n"
                f"hint: pass `{argument}.filled(0)`, or `{argument}.data` to disregard the mask"
            )
        if not array.flags.writeable:
            if writes:
                raise ReadOnlyError(
                    f"{operation}: `{argument}` is a read-only array, {_describe(array)}, "
                    f"and the operation writes to it\n"
                    f"hint: pass a writable array, such as `{argument}.copy()`"
                )
            if not self._versioned:
                array = _allocated(operation, argument, array, array.copy)
        # The kind first, because a dtype's name is made anew each time. NumPy itself refuses the
        # other byte order.
        dtype = array.dtype
        if dtype.kind == "V" and dtype.name == "bfloat16" and dtype.isnative:
            return extension().relabel_as_bfloat16(
                self._export(operation, argument, array.view(numpy.uint16))
            )
        return self._export(operation, argument, array)

    def _export(self, operation: str, argument: str, array: Any) -> object:
        try:
            if self._versioned:
                return array.__dlpack__(max_version=MAX_VERSION)
            return array.__dlpack__()
        except BufferError as error:
            message = f"{operation}: `{argument}`, {_describe(array)}, cannot be lent: {error}"
            if array.itemsize and any(stride % array.itemsize for stride in array.strides):
                raise StrideError(message) from error
            raise DTypeError(
                f"{message}\nhint: convert it, such as `{argument}.astype(numpy.float32)`"
            ) from error

    def stream(self, array: Any) -> int:
        return 0

    def allocate(
        self, operation: str, argument: str, like: Any, shape: Sequence[int]
    ) -> tuple[Any, object]:
        place = _allocated(
            operation, argument, like, lambda: self._numpy.empty(shape, dtype=like.dtype)
        )
        return place, self.borrow(operation, "out", place, writes=True)

    def deliver(self, operation: str, place: Any, like: Any) -> Any:
        return place

    def written(self, array: Any) -> None:
        pass


def _allocated(operation: str, argument: str, like: Any, allocate: Callable[[], Any]) -> Any:
    try:
        return allocate()
    except MemoryError as error:
        raise OutOfMemoryError(
            f"{operation}: no memory for an array like `{argument}`, {_describe(like)}: {error}"
        ) from error


def _describe(array: Any) -> str:
    return f"{array.dtype} of shape {array.shape} and byte strides {array.strides}"
