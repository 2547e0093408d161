# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""CuPy arrays: on a GPU, ordered by CuPy's current stream for that GPU."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from tilewright._internal.dlpack import REFUSALS
from tilewright.errors import DTypeError

__all__ = ["CupyArrays"]


class CupyArrays:
    """Lends `cupy.ndarray`."""

    kind = "CuPy"

    def __init__(self, cupy: ModuleType) -> None:
        self._cupy = cupy

    def borrow(self, operation: str, argument: str, array: Any, *, writes: bool = False) -> object:
        try:
            # -1: no synchronisation, because the operator runs on CuPy's own current stream.
            return array.__dlpack__(stream=-1)
        except REFUSALS as error:
            raise DTypeError(
                f"{operation}: `{argument}`, {array.dtype} of shape {array.shape}, "
                f"cannot be lent: {error}"
            ) from error

    def stream(self, array: Any) -> int:
        return int(self._cupy.cuda.get_current_stream(array.device.id).ptr)

    def allocate(
        self, operation: str, argument: str, like: Any, shape: Sequence[int]
    ) -> tuple[Any, object]:
        with like.device:
            place = self._cupy.empty(tuple(shape), dtype=like.dtype)
        return place, self.borrow(operation, "out", place, writes=True)

    def deliver(self, operation: str, place: Any, like: Any) -> Any:
        return place

    def written(self, array: Any) -> None:
        pass
