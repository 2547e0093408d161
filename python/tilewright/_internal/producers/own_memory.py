# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""CPU memory of tilewright's own, for results in libraries that hand out none to write to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright._internal.extension import extension
from tilewright.errors import TilewrightError

if TYPE_CHECKING:
    from tilewright._C import Tensor

__all__ = ["empty"]


def empty(operation: str, argument: str, dtype: str, shape: Sequence[int]) -> Tensor:
    """Undefined values of a dtype, such as `float32`, for a result like `argument`.

    Raises:
        DTypeError, ShapeError, OutOfMemoryError: there is none of this dtype or size.
    """
    try:
        tensor: Tensor = extension().Tensor.empty(list(shape), dtype)
    except TilewrightError as error:
        raise type(error)(f"{operation}: no result like `{argument}`: {error}") from None
    return tensor
