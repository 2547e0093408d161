# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Recognising a caller's arrays, without importing a library that the caller has not imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tilewright._internal.producers.cupy_arrays import CupyArrays
from tilewright._internal.producers.dlpack_arrays import DlpackArrays
from tilewright._internal.producers.jax_arrays import JaxArrays
from tilewright._internal.producers.numpy_arrays import NumpyArrays
from tilewright._internal.producers.producer import Producer
from tilewright._internal.producers.torch_tensors import TorchTensors
from tilewright.errors import InvalidArgumentError

__all__ = ["common_producer", "producer_of", "shape_of"]

_LIBRARIES: tuple[tuple[str, str, Callable[[ModuleType], Producer]], ...] = (
    ("torch", "Tensor", TorchTensors),
    ("numpy", "ndarray", NumpyArrays),
    ("jax", "Array", JaxArrays),
    ("cupy", "ndarray", CupyArrays),
)

_by_module: dict[str, Producer] = {}
_by_type: dict[type, Producer] = {}


def producer_of(operation: str, argument: str, array: object) -> Producer:
    """The library that `array` belongs to.

    Raises:
        InvalidArgumentError: it is no array.
    """
    kind = type(array)
    producer = _by_type.get(kind)
    if producer is None:
        producer = _by_type[kind] = _resolve(operation, argument, array)
    return producer


def common_producer(operation: str, *arguments: tuple[str, Any]) -> Producer:
    """The library that all `arguments`, pairs of name and array, belong to.

    Raises:
        InvalidArgumentError: one is no array, or they are of several libraries.
    """
    name, array = arguments[0]
    producer = producer_of(operation, name, array)
    for other_name, other in arguments[1:]:
        found = producer_of(operation, other_name, other)
        if found is not producer:
            raise InvalidArgumentError(
                f"{operation}: the arrays are of different libraries: `{name}` is of "
                f"{producer.kind} (`{_name(array)}`) and `{other_name}` of "
                f"{found.kind} (`{_name(other)}`)\n"
                f"hint: convert one of them, such as with {producer.kind}'s `from_dlpack`"
            )
    return producer


def shape_of(operation: str, argument: str, array: object) -> tuple[int, ...]:
    """The shape of `array`, which DLPack objects nearly always tell.

    Raises:
        InvalidArgumentError: this one does not.
    """
    shape = getattr(array, "shape", None)
    if shape is None:
        raise InvalidArgumentError(
            f"{operation}: `{argument}`, a `{_name(array)}`, has no `shape`, so that the result's "
            "is not known\nhint: pass `out`"
        )
    return tuple(shape)


def _resolve(operation: str, argument: str, array: object) -> Producer:
    for module_name, class_name, make in _LIBRARIES:
        module = sys.modules.get(module_name)
        kind = getattr(module, class_name, None)
        if module is not None and isinstance(kind, type) and isinstance(array, kind):
            if module_name not in _by_module:
                _by_module[module_name] = make(module)
            return _by_module[module_name]
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        return DlpackArrays(type(array))
    raise InvalidArgumentError(
        f"{operation}: `{argument}` is a `{_name(array)}`, which is no array: it has no "
        "`__dlpack__` and `__dlpack_device__`\n"
        "hint: pass an array of NumPy, PyTorch, JAX, CuPy or another library that speaks DLPack"
    )


def _name(array: object) -> str:
    kind = type(array)
    name = kind.__qualname__
    return name if kind.__module__ == "builtins" else f"{kind.__module__}.{name}"
