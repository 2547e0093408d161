# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of any other library, through nothing but the DLPack protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from tilewright._internal.dlpack import CUDA, CUDA_MANAGED, MAX_VERSION, REFUSALS
from tilewright._internal.extension import extension
from tilewright._internal.producers import own_memory
from tilewright.errors import InvalidArgumentError

__all__ = ["DlpackArrays"]

_LEGACY_DEFAULT_STREAM = 1  # as `__dlpack__(stream=...)` spells it


class DlpackArrays:
    """Lends an object that has `__dlpack__` and `__dlpack_device__`.

    On CUDA, operators run on the default stream, which the producer is told to synchronise with.
    """

    def __init__(self, kind: type) -> None:
        self.kind = f"`{kind.__module__}.{kind.__qualname__}`"

    def borrow(self, operation: str, argument: str, array: Any, *, writes: bool = False) -> object:
        try:
            stream = _LEGACY_DEFAULT_STREAM if _on_cuda(array) else None
            try:
                return array.__dlpack__(stream=stream, max_version=MAX_VERSION)
            except TypeError:  # a producer older than DLPack 1.0
                return array.__dlpack__(stream=stream)
        except REFUSALS as error:
            raise InvalidArgumentError(
                f"{operation}: `{argument}`, a {self.kind}, cannot be lent: {error}"
            ) from error

    def stream(self, array: Any) -> int:
        return 0

    def allocate(
        self, operation: str, argument: str, like: Any, shape: Sequence[int]
    ) -> tuple[Any, object]:
        try:
            if _on_cuda(like):
                raise BufferError(f"`{argument}` is on a GPU")
            _importer(like)
            dtype = str(like.dtype).rpartition(".")[2]
        except REFUSALS as error:
            raise InvalidArgumentError(
                f"{operation}: cannot make a {self.kind} for the result: {error}\nhint: pass `out`"
            ) from error
        place = own_memory.empty(operation, argument, dtype, shape)
        return place, place.__dlpack__(max_version=MAX_VERSION)

    def deliver(self, operation: str, place: Any, like: Any) -> Any:
        try:
            return _importer(like)(place)
        except REFUSALS as error:
            raise InvalidArgumentError(
                f"{operation}: cannot make a {self.kind} of the result: {error}\nhint: pass `out`"
            ) from error

    def written(self, array: Any) -> None:
        pass


def _on_cuda(array: Any) -> bool:
    return int(array.__dlpack_device__()[0]) in (CUDA, CUDA_MANAGED)


def _importer(array: Any) -> Callable[[Any], Any]:
    """The `from_dlpack` that makes arrays of this kind: the array API's, else the package's."""
    if isinstance(array, extension().Tensor):
        return lambda tensor: tensor
    if hasattr(array, "__array_namespace__"):
        namespace = array.__array_namespace__()
    else:
        namespace = sys.modules.get(type(array).__module__.partition(".")[0])
    found: Callable[[Any], Any] = namespace.from_dlpack
    return found
