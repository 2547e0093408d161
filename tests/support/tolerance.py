# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""How far a result may be from a float64 reference computed from the same, rounded, inputs."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy

__all__ = ["TOLERANCE", "Tolerance", "assert_close"]


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """An element passes when `|actual - expected| <= absolute + relative * |expected|`."""

    relative: float
    absolute: float
    reason: str


TOLERANCE = {
    "float32": Tolerance(
        relative=4e-6,
        absolute=1e-30,
        reason="64 roundings of 2^-24: a sum of up to 2^16 squares in partial sums, a reciprocal "
        "square root or an exponential good to a few units, and three products",
    ),
    "float16": Tolerance(
        relative=1.02 * 2**-11,
        absolute=1.02 * 2**-25,
        reason="computed in float32 and rounded once: half a unit in the last of 11 bits, half the "
        "smallest subnormal near zero, and 2 % for float32 noise next to a rounding boundary",
    ),
    "bfloat16": Tolerance(
        relative=1.02 * 2**-8,
        absolute=1e-30,
        reason="computed in float32 and rounded once: half a unit in the last of 8 bits, and 2 % "
        "for float32 noise next to a rounding boundary",
    ),
}


def assert_close(actual: Any, expected: Any, dtype: str, context: str = "") -> None:
    """Fails with the largest error, where it is and `context`, such as the seed.

    Args:
        actual: the result, as floats that hold it exactly.
        expected: the reference in float64, of the same shape.
        dtype: a key of TOLERANCE.
        context: printed with a failure.
    """
    actual = numpy.asarray(actual, dtype=numpy.float64)
    expected = numpy.asarray(expected, dtype=numpy.float64)
    assert actual.shape == expected.shape, f"shape {actual.shape}, expected {expected.shape}"
    if actual.size == 0:
        return
    tolerance = TOLERANCE[dtype]
    excess = numpy.abs(actual - expected) - (
        tolerance.absolute + tolerance.relative * numpy.abs(expected)
    )
    excess = numpy.where(numpy.isnan(excess), numpy.inf, excess)
    worst = numpy.unravel_index(int(numpy.argmax(excess)), excess.shape)
    assert excess[worst] <= 0, (
        f"{dtype} of shape {actual.shape} {context}: {int((excess > 0).sum())} elements are off, "
        f"the worst at {tuple(int(index) for index in worst)}: got {actual[worst]!r}, expected "
        f"{expected[worst]!r} within {tolerance.relative:.3g} relative ({tolerance.reason})"
    )
