# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""A package with a CUDA kernel. It imports anywhere; the first call loads CUDA's libraries."""

from __future__ import annotations

import importlib
from array import array
from types import ModuleType

__all__ = ["compile_to_ptx", "scale"]


def _extension() -> ModuleType:
    try:
        return importlib.import_module("example_cuda._cuda")
    except ImportError as error:
        raise ImportError(
            f"{error}\nhint: CUDA's libraries come with `pip install 'example-cuda[cuda13]'`"
        ) from error


def scale(values: array[float], factor: float) -> None:
    """Multiplies float32 values by `factor`, in place, on the current GPU.

    Raises:
        ImportError: CUDA's libraries are not installed.
        RuntimeError: CUDA reports an error, such as that there is no GPU.
    """
    _extension().scale(values, factor)


def compile_to_ptx(source: str) -> str:
    """Compiles CUDA C++ to PTX; needs no GPU.

    Raises:
        ImportError: CUDA's libraries are not installed.
        RuntimeError: the source does not compile; the message has the compiler's log.
    """
    ptx: str = _extension().compile_to_ptx(source)
    return ptx
