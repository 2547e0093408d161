# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""bfloat16 for NumPy, which has none: the upper half of a float32, as uint16."""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["from_bits", "to_bits"]


def to_bits(values: Any) -> Any:
    """The bits of `values`, finite floats of any precision, rounded to nearest, ties to even."""
    bits = numpy.asarray(values, dtype=numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def from_bits(bits: Any) -> Any:
    """The float64 values of bfloat16 `bits`, exactly."""
    widened = numpy.asarray(bits, dtype=numpy.uint16).astype(numpy.uint32) << 16
    return widened.view(numpy.float32).astype(numpy.float64)
