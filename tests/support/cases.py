# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""CPU arrays of every dtype for tests of operators, and their values as float64."""

from __future__ import annotations

from typing import Any

import numpy

from tests.support.fake_dlpack import FakeArray

__all__ = ["DTYPES", "SHAPES", "array_of", "random_values", "values_of"]

DTYPES = ("float32", "float16", "bfloat16")

# One row, widths around the vector lengths and below them, many rows, and more than two dimensions.
SHAPES = (
    (1,),
    (7,),
    (1, 1),
    (1, 4096),
    (3, 7),
    (5, 100),
    (2, 3, 64),
    (4, 4095),
    (33, 257),
    (2, 65537),
)


def random_values(shape: tuple[int, ...], seed: int, scale: float = 2.0) -> Any:
    """Normally distributed float64 values."""
    return numpy.random.default_rng(seed).standard_normal(shape) * scale


def array_of(values: Any, dtype: str) -> Any:
    """A NumPy array; for bfloat16, which NumPy lacks, one of a made-up library."""
    if dtype == "bfloat16":
        return FakeArray(values, dtype)
    return numpy.asarray(values).astype(dtype)


def values_of(array: Any) -> Any:
    """The values of what `array_of`, or an operator on it, returned."""
    return array.values if isinstance(array, FakeArray) else array.astype(numpy.float64)
