# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The operators in float64, written for clarity."""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["rms_norm", "silu_and_mul"]


def rms_norm(x: Any, weight: Any, eps: float = 1e-6) -> Any:
    """`x / sqrt(mean(x**2) + eps) * weight` over the last dimension."""
    return x / numpy.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * weight


def silu_and_mul(x: Any) -> Any:
    """`silu(first half) * second half` of the last dimension."""
    gate, up = numpy.split(x, 2, axis=-1)
    return gate / (1 + numpy.exp(-gate)) * up
