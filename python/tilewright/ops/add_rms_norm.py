# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Residual addition fused with root mean square layer normalisation."""

from __future__ import annotations

from tilewright._internal.arrays import common_producer
from tilewright._internal.dlpack import ArrayT
from tilewright._internal.extension import extension
from tilewright._internal.scalars import to_float

__all__ = ["add_rms_norm"]


def add_rms_norm(
    x: ArrayT, residual: ArrayT, weight: ArrayT, eps: float = 1e-6
) -> tuple[ArrayT, ArrayT]:
    """`residual <- x + residual`, then `x <- rms_norm(residual, weight, eps)`, both in place.

    The norm is that of the sum as stored, rounded to the arrays' dtype. This is the convention of
    vLLM's and FlashInfer's `fused_add_rms_norm`.

    On CUDA, work on arrays of PyTorch and CuPy is enqueued on the library's current stream and not
    waited for; it can be captured into a CUDA graph. Work on arrays of another library is enqueued
    on the default stream.

    Args:
        x: `[..., hidden]`, float32, float16 or bfloat16, on the CPU or one CUDA device; overwritten
            with the norm. The last dimension has stride 1, and the leading ones collapse into one
            row stride.
        residual: as `x`, of the same shape and dtype; overwritten with the sum. JAX arrays are
            immutable and refused.
        weight: `[hidden]`, contiguous, of x's dtype or float32, on x's device.
        eps: added to the mean square; not negative.

    Returns:
        `(x, residual)`, the arrays that were passed.

    Raises:
        ShapeError, DTypeError, DeviceError, StrideError: an array is not as described.
        OverlapError: `x` and `residual`, or one of them and `weight`, overlap.
        ReadOnlyError: `x` or `residual` cannot be written to.
        GradientError: a tensor requires grad while grad mode is on.
        InvalidArgumentError: arrays of several libraries, something that is no array, a bad `eps`,
            a masked array of NumPy.
        LibraryNotFoundError: a shared library, such as CUDA's runtime, is missing.
        CudaError: the CUDA driver or runtime failed.

    Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.
    """
    producer = common_producer("add_rms_norm", ("x", x), ("residual", residual), ("weight", weight))
    extension().add_rms_norm(
        producer.borrow("add_rms_norm", "x", x, writes=True),
        producer.borrow("add_rms_norm", "residual", residual, writes=True),
        producer.borrow("add_rms_norm", "weight", weight),
        to_float("add_rms_norm", "eps", eps),
        producer.stream(x),
    )
    producer.written(x)
    producer.written(residual)
    return x, residual
