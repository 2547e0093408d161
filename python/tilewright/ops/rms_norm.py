# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Root mean square layer normalisation."""

from __future__ import annotations

from typing import cast

from tilewright._internal.arrays import common_producer, shape_of
from tilewright._internal.dlpack import ArrayT
from tilewright._internal.extension import extension
from tilewright._internal.scalars import to_float

__all__ = ["rms_norm"]


def rms_norm(x: ArrayT, weight: ArrayT, eps: float = 1e-6, *, out: ArrayT | None = None) -> ArrayT:
    """`x / sqrt(mean(x**2, axis=-1) + eps) * weight`, accumulated in float32.

    On CUDA, work on arrays of PyTorch and CuPy is enqueued on the library's current stream and not
    waited for; it can be captured into a CUDA graph. Work on JAX arrays is waited for. Work on
    arrays of another library is enqueued on the default stream.

    Args:
        x: `[..., hidden]`, float32, float16 or bfloat16, on the CPU or one CUDA device. The last
            dimension has stride 1, and the leading ones collapse into one row stride.
        weight: `[hidden]`, contiguous, of x's dtype or float32, on x's device.
        eps: added to the mean square; not negative.
        out: where the result goes, of x's shape, dtype and device; may be `x` itself. JAX arrays
            are immutable and refused.

    Returns:
        `out`, or a new array of x's library, shape and dtype: a plain one, such as
        `numpy.ndarray`, if `x` is of a subclass.

    Raises:
        ShapeError, DTypeError, DeviceError, StrideError: an array is not as described.
        OverlapError: `out` overlaps an input without being exactly `x`.
        ReadOnlyError: `out` cannot be written to.
        GradientError: a tensor requires grad while grad mode is on.
        InvalidArgumentError: arrays of several libraries, something that is no array, a bad `eps`,
            a masked array of NumPy.
        OutOfMemoryError: there is no memory for the result; PyTorch and CuPy raise errors of their
            own.
        LibraryNotFoundError: a shared library, such as CUDA's runtime, is missing.
        CudaError: the CUDA driver or runtime failed.

    Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.
    """
    epsilon = to_float("rms_norm", "eps", eps)
    if out is None:
        producer = common_producer("rms_norm", ("x", x), ("weight", weight))
    else:
        producer = common_producer("rms_norm", ("x", x), ("weight", weight), ("out", out))
    x_capsule = producer.borrow("rms_norm", "x", x)
    weight_capsule = producer.borrow("rms_norm", "weight", weight)
    if out is None:
        place, out_capsule = producer.allocate("rms_norm", "x", x, shape_of("rms_norm", "x", x))
    else:
        place, out_capsule = out, producer.borrow("rms_norm", "out", out, writes=True)
    extension().rms_norm(x_capsule, weight_capsule, epsilon, out_capsule, producer.stream(x))
    if out is None:
        return cast("ArrayT", producer.deliver("rms_norm", place, x))
    producer.written(out)
    return out
