# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What tilewright asks of an array: the two methods of the DLPack protocol.

Source: https://dmlc.github.io/dlpack/latest/python_spec.html
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

__all__ = ["CUDA", "CUDA_MANAGED", "MAX_VERSION", "REFUSALS", "ArrayT", "SupportsDLPack"]

# Values of DLDeviceType.
CUDA = 2
CUDA_MANAGED = 13

# The newest DLPack version whose capsules tilewright reads; 1.x adds the read-only flag.
MAX_VERSION = (1, 1)

# What the protocol's methods raise for an array that they cannot lend: BufferError by the standard.
REFUSALS = (AttributeError, BufferError, RuntimeError, TypeError, ValueError)


class SupportsDLPack(Protocol):
    """An array of any library: ``numpy.ndarray``, ``torch.Tensor``, ``jax.Array``, ..."""

    def __dlpack__(self, *, stream: Any = ...) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, Any]: ...


# The kind of array a caller passes, and gets back.
ArrayT = TypeVar("ArrayT", bound=SupportsDLPack)
