# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The exceptions that tilewright raises.

Each derives from :class:`TilewrightError` and from the built-in exception that a caller would
expect. A message says which operation failed, gives the values involved, and puts what to do next
on a line of its own that starts with ``hint:``.
"""

from __future__ import annotations

__all__ = [
    "CudaError",
    "DTypeError",
    "DeviceError",
    "GradientError",
    "InternalError",
    "InvalidArgumentError",
    "LibraryNotFoundError",
    "OutOfMemoryError",
    "OverlapError",
    "ReadOnlyError",
    "ShapeError",
    "StrideError",
    "TilewrightError",
    "TvmError",
]


class TilewrightError(Exception):
    """Base of every exception that tilewright raises."""


class InvalidArgumentError(TilewrightError, ValueError):
    """An argument is not of a kind, or has not a value, that the operation accepts."""


class ShapeError(TilewrightError, ValueError):
    """Array shapes do not fit the operation or each other."""


class DTypeError(TilewrightError, TypeError):
    """An array has a dtype that the operation does not accept, or not the one of its peers."""


class DeviceError(TilewrightError, ValueError):
    """Arrays are on different devices, or on one that the operation does not run on."""


class StrideError(TilewrightError, ValueError):
    """An array's memory layout is not one that the operation accepts."""


class OverlapError(TilewrightError, ValueError):
    """An output shares memory with another array in a way that the operation does not allow."""


class ReadOnlyError(TilewrightError, ValueError):
    """An array that the operation would write to is read-only or immutable."""


class GradientError(TilewrightError, ValueError):
    """A tensor requires grad, and the operation is not differentiable."""


class LibraryNotFoundError(TilewrightError, ImportError):
    """A shared library that the operation needs is missing or cannot be loaded."""


class CudaError(TilewrightError, RuntimeError):
    """The CUDA runtime or driver reported a failure."""


class TvmError(TilewrightError, RuntimeError):
    """A function compiled by TVM, or TVM's runtime, reported a failure."""


class OutOfMemoryError(TilewrightError, MemoryError):
    """Memory for a result could not be allocated."""


class InternalError(TilewrightError, RuntimeError):
    """A defect in tilewright itself; please report it with the message."""
