# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The operators in PyTorch, in float64 where the tensors lie, and comparison there."""

from __future__ import annotations

from typing import Any

from tests.support.tolerance import TOLERANCE

__all__ = ["assert_close", "name_of", "random", "rms_norm", "silu_and_mul"]


def random(shape: tuple[int, ...], dtype: Any, seed: int, scale: float = 2.0) -> Any:
    """Normally distributed values on the current GPU."""
    import torch

    generator = torch.Generator("cuda").manual_seed(seed)
    values = torch.randn(shape, generator=generator, device="cuda", dtype=torch.float32)
    return (values * scale).to(dtype)


def name_of(dtype: Any) -> str:
    """`torch.float32` is `float32` in the table of tolerances."""
    return str(dtype).removeprefix("torch.")


def rms_norm(x: Any, weight: Any, eps: float = 1e-6) -> Any:
    """In float64."""
    x = x.double()
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * weight.double()


def silu_and_mul(x: Any) -> Any:
    """In float64."""
    gate, up = x.double().chunk(2, dim=-1)
    return gate / (1 + (-gate).exp()) * up


def assert_close(actual: Any, expected: Any, context: str = "") -> None:
    """As `tests.support.tolerance.assert_close`, for tensors; the tolerance is that of `actual`."""
    dtype = name_of(actual.dtype)
    assert actual.shape == expected.shape, f"{tuple(actual.shape)}, not {tuple(expected.shape)}"
    if actual.numel() == 0:
        return
    tolerance = TOLERANCE[dtype]
    actual, expected = actual.double(), expected.double()
    allowed = tolerance.absolute + tolerance.relative * expected.abs()
    excess = (actual - expected).abs() - allowed
    excess = excess.nan_to_num(nan=float("inf"))
    index = int(excess.argmax())
    assert float(excess.flatten()[index]) <= 0, (
        f"{dtype} of shape {tuple(actual.shape)} {context}: {int((excess > 0).sum())} elements are "
        f"off, the worst at flat index {index}: got {float(actual.flatten()[index])!r}, expected "
        f"{float(expected.flatten()[index])!r} within {tolerance.relative:.3g} relative "
        f"({tolerance.reason})"
    )
