# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Fused operators for LLM inference, for any array that speaks DLPack.

>>> import numpy, tilewright
>>> x = numpy.ones((2, 8), dtype=numpy.float32)
>>> tilewright.rms_norm(x, numpy.ones(8, dtype=numpy.float32)).shape
(2, 8)

Importing this package loads no array library, no CUDA library and no driver; ``tilewright.tvm`` is
imported when it is first used. ``python -m tilewright doctor`` says what an installation can do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright import errors
from tilewright._version import __version__
from tilewright.errors import TilewrightError
from tilewright.ops import add_rms_norm, rms_norm, silu_and_mul

if TYPE_CHECKING:
    from types import ModuleType

    import tilewright.tvm as tvm

__all__ = [
    "TilewrightError",
    "__version__",
    "add_rms_norm",
    "errors",
    "rms_norm",
    "silu_and_mul",
    "tvm",
]


def __getattr__(name: str) -> ModuleType:
    if name == "tvm":
        import importlib

        return importlib.import_module("tilewright.tvm")
    raise AttributeError(f"module `tilewright` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
