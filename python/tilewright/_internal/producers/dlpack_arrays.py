# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Arrays of any other library, through nothing but the DLPack protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from tilewright._internal.dlpack import CUDA, CUDA_MANAGED, MAX_VERSION
from tilewright._internal.extension import extension
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
        stream = _LEGACY_DEFAULT_STREAM if _on_cuda(array) else None
        try:
            try:
                return array.__dlpack__(stream=stream, max_version=MAX_VERSION)
            except TypeError:  # a producer older than DLPack 1.0
                return array.__dlpack__(stream=stream)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise InvalidArgumentError(
                f"{operation}: `{argument}`, a {self.kind}, cannot be lent: {error}"
            ) from error

    def stream(self, array: Any) -> int:
        return 0

    def allocate(self, operation: str, like: Any, shape: Sequence[int]) -> tuple[Any, object]:
        if _on_cuda(like) or _importer(like) is None:
            raise InvalidArgumentError(
                f"{operation}: cannot make a {self.kind} for the result\nhint: pass `out`"
            )
        place = extension().Tensor.empty(list(shape), str(like.dtype).rpartition(".")[2])
        return place, place.__dlpack__(max_version=MAX_VERSION)

    def deliver(self, place: Any, like: Any) -> Any:
        importer = _importer(like)
        return place if importer is None else importer(place)

    def written(self, array: Any) -> None:
        pass


def _on_cuda(array: Any) -> bool:
    return int(array.__dlpack_device__()[0]) in (CUDA, CUDA_MANAGED)


def _importer(array: Any) -> Callable[[Any], Any] | None:
    """The `from_dlpack` that makes arrays of this kind: the array API's, else the package's."""
    if isinstance(array, extension().Tensor):
        return lambda tensor: tensor
    if hasattr(array, "__array_namespace__"):
        found = getattr(array.__array_namespace__(), "from_dlpack", None)
    else:
        package = sys.modules.get(type(array).__module__.partition(".")[0])
        found = getattr(package, "from_dlpack", None)
    return found if callable(found) else None
