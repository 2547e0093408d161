# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The interface that every module of this package implements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

__all__ = ["Producer"]


class Producer(Protocol):
    """An array library, as an operator sees it. A capsule is an unconsumed DLPack capsule."""

    kind: str
    """Name of the library, for messages."""

    def borrow(self, operation: str, argument: str, array: Any, *, writes: bool = False) -> object:
        """Lends `array`, without copying it, as a capsule that is valid on `stream(array)`.

        Raises:
            ReadOnlyError: the operation writes to it and it is immutable.
            GradientError: it requires grad while grad mode is on.
            DTypeError, StrideError, DeviceError: DLPack cannot express it.
        """

    def stream(self, array: Any) -> int:
        """The CUDA stream that work on `array` belongs on; 0 is the default one, or the CPU's."""

    def allocate(
        self, operation: str, argument: str, like: Any, shape: Sequence[int]
    ) -> tuple[Any, object]:
        """A place for a result of dtype and device of `like`, and the capsule that lends it.

        `argument` is the name of `like`. The values are undefined and the layout is compact
        row-major.

        Raises:
            InvalidArgumentError: the library offers no way to make one.
            DTypeError, ShapeError, OutOfMemoryError: there is none of this dtype or size.
        """

    def deliver(self, operation: str, place: Any, like: Any) -> Any:
        """The array for the caller, once the operator has been enqueued on `stream(like)`.

        Raises:
            InvalidArgumentError: the library does not take it.
        """

    def written(self, array: Any) -> None:
        """Tells the library that the operator wrote to the caller's `array`."""
