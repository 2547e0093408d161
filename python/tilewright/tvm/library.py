# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where tilewright's operators for apache-tvm-ffi are."""

from __future__ import annotations

import os

from tilewright._internal.extension import PACKAGE_DIRECTORY, REINSTALL, extension
from tilewright.errors import LibraryNotFoundError

__all__ = ["ffi_library_path"]


def ffi_library_path() -> str:
    """The path of the library to hand to ``tvm_ffi.load_module``.

    >>> import tvm_ffi                                                       # doctest: +SKIP
    >>> ops = tvm_ffi.load_module(tilewright.tvm.ffi_library_path())         # doctest: +SKIP
    >>> ops.rms_norm(x, weight, 1e-6, out)                                   # doctest: +SKIP

    The functions are `rms_norm(x, weight, eps, out)`, `add_rms_norm(x, residual, weight, eps)`, in
    place, and `silu_and_mul(x, out)`: outputs are arguments, CUDA work goes to the stream that
    tvm-ffi has current. ``pip install 'tilewright[tvm-ffi]'`` installs apache-tvm-ffi.

    Raises:
        LibraryNotFoundError: it, or a library that it needs, is missing from the installation.
    """
    path = os.path.join(PACKAGE_DIRECTORY, "lib", "libtilewright_ffi.so")
    if not os.path.isfile(path):
        raise LibraryNotFoundError(
            "tilewright: the library `libtilewright_ffi.so` is missing\n"
            f"looked for: {path}\n"
            f"hint: reinstall: {REINSTALL}"
        )
    extension()  # tells the library where to look for CUDA
    return path
