# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What is compared: each operator as tilewright, eager PyTorch, torch.compile and a copy do it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

import tilewright

__all__ = ["OPERATORS", "Operator"]

EPS = 1e-6


@dataclasses.dataclass(frozen=True)
class Operator:
    """One operator.

    Attributes:
        name: as in the package.
        traffic: how many elements are read or written, in units of `rows * columns`.
        prepare: makes the tensors for `rows`, `columns` and a dtype.
        ours: runs tilewright's operator on them.
        formula: the same in PyTorch, a function of the same tensors; run eagerly and compiled.
    """

    name: str
    traffic: int
    prepare: Callable[[int, int, torch.dtype], tuple[Any, ...]]
    ours: Callable[..., Any]
    formula: Callable[..., Any]


def _random(rows: int, columns: int, dtype: torch.dtype) -> Any:
    return torch.randn(rows, columns, device="cuda", dtype=dtype)


def _weight(columns: int, dtype: torch.dtype) -> Any:
    return torch.rand(columns, device="cuda", dtype=dtype) + 0.5


def _rms_norm(x: Any, weight: Any, out: Any) -> Any:
    return functional.rms_norm(x, x.shape[-1:], weight, EPS)


def _add_rms_norm(x: Any, residual: Any, weight: Any) -> Any:
    total = x + residual
    return functional.rms_norm(total, x.shape[-1:], weight, EPS), total


def _silu_and_mul(x: Any, out: Any) -> Any:
    gate, up = x.chunk(2, dim=-1)
    return functional.silu(gate) * up


OPERATORS = (
    Operator(
        name="rms_norm",
        traffic=2,
        prepare=lambda rows, columns, dtype: (
            _random(rows, columns, dtype),
            _weight(columns, dtype),
            _random(rows, columns, dtype),
        ),
        ours=lambda x, weight, out: tilewright.rms_norm(x, weight, EPS, out=out),
        formula=_rms_norm,
    ),
    Operator(
        name="add_rms_norm",
        traffic=4,
        prepare=lambda rows, columns, dtype: (
            _random(rows, columns, dtype),
            _random(rows, columns, dtype),
            _weight(columns, dtype),
        ),
        ours=lambda x, residual, weight: tilewright.add_rms_norm(x, residual, weight, EPS),
        formula=_add_rms_norm,
    ),
    Operator(
        name="silu_and_mul",
        traffic=3,
        prepare=lambda rows, columns, dtype: (
            _random(rows, 2 * columns, dtype),
            _random(rows, columns, dtype),
        ),
        ours=lambda x, out: tilewright.silu_and_mul(x, out=out),
        formula=_silu_and_mul,
    ),
)
