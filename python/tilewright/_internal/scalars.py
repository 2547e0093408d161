# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Numbers that a caller passes beside arrays."""

from __future__ import annotations

from typing import SupportsFloat

from tilewright.errors import InvalidArgumentError

__all__ = ["to_float"]


def to_float(operation: str, argument: str, value: SupportsFloat) -> float:
    """`value` as a float, also from a scalar of an array library.

    Raises:
        InvalidArgumentError: it is no number, or too large.
    """
    try:
        return float(value)
    except (OverflowError, RuntimeError, TypeError, ValueError) as error:
        raise InvalidArgumentError(f"{operation}: `{argument}` is no float: {error}") from error
