# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Running what TVM's compiler made, on a TVM runtime that is tilewright's own.

>>> import numpy, tilewright
>>> module = tilewright.tvm.load_module("vector_add.so")           # doctest: +SKIP
>>> a = numpy.arange(4, dtype=numpy.float32)
>>> out = numpy.empty_like(a)
>>> module["vector_add"](a, a, out)                                # doctest: +SKIP
>>> out                                                            # doctest: +SKIP
array([0., 2., 4., 6.], dtype=float32)

Neither apache-tvm nor apache-tvm-ffi is needed, and either may be used in the same process: the
runtime is not visible to them. `ffi_library_path` is for the other direction, tilewright's
operators in programs that use apache-tvm-ffi.
"""

from __future__ import annotations

from tilewright.tvm.library import ffi_library_path
from tilewright.tvm.module import Function, Module, get_global_function, load_module

__all__ = ["Function", "Module", "ffi_library_path", "get_global_function", "load_module"]
