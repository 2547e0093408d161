# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The gate of a SwiGLU feed-forward layer."""

from __future__ import annotations

from typing import cast

from tilewright._internal.arrays import common_producer, shape_of
from tilewright._internal.dlpack import ArrayT
from tilewright._internal.extension import extension
from tilewright.errors import ShapeError

__all__ = ["silu_and_mul"]


def silu_and_mul(x: ArrayT, *, out: ArrayT | None = None) -> ArrayT:
    """`silu(x[..., :d]) * x[..., d:]`, with `silu(v) = v / (1 + exp(-v))`, computed in float32.

    On CUDA, work on arrays of PyTorch and CuPy is enqueued on the library's current stream and not
    waited for; it can be captured into a CUDA graph. Work on JAX arrays is waited for. Work on
    arrays of another library is enqueued on the default stream.

    Args:
        x: `[..., 2 * d]`, float32, float16 or bfloat16, on the CPU or one CUDA device. The last
            dimension has stride 1, and the leading ones collapse into one row stride.
        out: `[..., d]`, where the result goes, of x's dtype and device; must not overlap `x`. JAX
            arrays are immutable and refused.

    Returns:
        `out`, or a new array of x's library and dtype and of shape `[..., d]`: a plain one, such as
        `numpy.ndarray`, if `x` is of a subclass.

    Raises:
        ShapeError, DTypeError, DeviceError, StrideError: an array is not as described.
        OverlapError: `out` overlaps `x`.
        ReadOnlyError: `out` cannot be written to.
        GradientError: a tensor requires grad while grad mode is on.
        InvalidArgumentError: arrays of several libraries, something that is no array, a masked
            array of NumPy.
        OutOfMemoryError: there is no memory for the result; PyTorch and CuPy raise errors of their
            own.
        LibraryNotFoundError: a shared library, such as CUDA's runtime, is missing.
        CudaError: the CUDA driver or runtime failed.

    Source: Shazeer, "GLU Variants Improve Transformer", 2020.
    """
    if out is None:
        producer = common_producer("silu_and_mul", ("x", x))
    else:
        producer = common_producer("silu_and_mul", ("x", x), ("out", out))
    x_capsule = producer.borrow("silu_and_mul", "x", x)
    if out is None:
        shape = shape_of("silu_and_mul", "x", x)
        if not shape or shape[-1] % 2:
            raise ShapeError(
                f"silu_and_mul: the last dimension of `x` must be an even one, got shape {shape}"
            )
        result_shape = (*shape[:-1], shape[-1] // 2)
        place, out_capsule = producer.allocate("silu_and_mul", "x", x, result_shape)
    else:
        place, out_capsule = out, producer.borrow("silu_and_mul", "out", out, writes=True)
    extension().silu_and_mul(x_capsule, out_capsule, producer.stream(x))
    if out is None:
        return cast("ArrayT", producer.deliver("silu_and_mul", place, x))
    producer.written(out)
    return out
