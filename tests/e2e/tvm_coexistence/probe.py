# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Run by check.py: tilewright.tvm and one other package in one process, and in a fork of it.

usage: probe.py PACKAGE before|after MODULES

PACKAGE is `none`, `tvm_ffi`, `tvm` or `tilelang`; `before` imports and uses it before
tilewright.tvm is used, `after` after. Then both are used once more, and again in a forked child.
Exit code 0 when every result and every error was right, each in its own runtime.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy

FLOAT32 = numpy.float32
GENERATOR = numpy.random.default_rng(0)


def expect_error(call: Any, kind: type[Exception], text: str) -> None:
    """Calls; the exception must be of this kind and say this."""
    try:
        call()
    except kind as error:
        assert text in str(error), f"{error!r} does not say {text!r}"
    else:
        raise AssertionError(f"no {kind.__name__}")


def arrays(count: int, size: int = 100) -> list[Any]:
    """Random vectors, as NumPy aligns them."""
    return [GENERATOR.standard_normal(size, dtype=FLOAT32) for _ in range(count)]


def use_tilewright(modules: pathlib.Path) -> None:
    """Every kind of module on the private runtime: results equal NumPy's, errors are TvmError."""
    from tilewright import errors, tvm

    for name in ("vector_add", "vector_add_now", "vector_add_c"):
        vector_add = tvm.load_module(modules / f"{name}.so")["vector_add"]
        a, b, out = arrays(3)
        vector_add(a, b, out)
        numpy.testing.assert_array_equal(out, a + b)
        expect_error(lambda: vector_add(a, b, out[:99]), errors.TvmError, "ValueError: Mismatched")  # noqa: B023
        expect_error(lambda: vector_add(a, b), errors.TvmError, "TypeError: Expected 3 arguments")  # noqa: B023
    for name in ("parallel", "avx2"):
        twice = tvm.load_module(modules / f"{name}.so")["twice"]
        a, out = arrays(2, 4096)
        twice(a, out)
        numpy.testing.assert_array_equal(out, 2 * a)
        a, out = arrays(2, 4097)  # at an address that vector instructions fault at
        twice(a[1:], out[1:])
        numpy.testing.assert_array_equal(out[1:], 2 * a[1:])
    machine = tvm.load_module(modules / "network.so")["vm_load_executable"]()
    machine["vm_initialization"](1, 0, 2)  # device type CPU, device 0, pooled allocator
    x, w = arrays(1, 32)[0].reshape(4, 8), arrays(1, 16)[0].reshape(8, 2)
    product, rectified = (numpy.from_dlpack(tensor) for tensor in machine["main"](x, w))
    numpy.testing.assert_allclose(product, x @ w, rtol=1e-5, atol=1e-6)
    numpy.testing.assert_allclose(rectified, numpy.maximum(x @ w + 0.5, 0), rtol=1e-5, atol=1e-6)
    expect_error(lambda: machine["main"](x, x), errors.TvmError, "shape")


def use_tvm_ffi() -> None:
    """apache-tvm-ffi: its containers and functions, and tilewright's operators through it."""
    import tilewright

    tvm_ffi = importlib.import_module("tvm_ffi")

    assert list(tvm_ffi.convert([1, "two", 3.0])) == [1, "two", 3.0]
    assert tvm_ffi.convert(lambda x: x + 1)(2) == 3
    ops = tvm_ffi.load_module(tilewright.tvm.ffi_library_path())
    x, weight = arrays(1, 120)[0].reshape(3, 40), arrays(1, 40)[0]
    out = numpy.zeros_like(x)
    ops.rms_norm(*map(tvm_ffi.from_dlpack, (x, weight)), 1e-6, tvm_ffi.from_dlpack(out))
    numpy.testing.assert_array_equal(out, tilewright.rms_norm(x, weight))
    expect_error(
        lambda: ops.rms_norm(tvm_ffi.from_dlpack(x)), TypeError, "takes 4 arguments, got 1"
    )
    wrong = [tvm_ffi.from_dlpack(array) for array in (x, weight[:39], out)]
    expect_error(lambda: ops.rms_norm(wrong[0], wrong[1], 1e-6, wrong[2]), ValueError, "rms_norm: ")


def use_their_tvm(tvm: Any, modules: pathlib.Path) -> None:
    """A TVM with its own runtime on apache-tvm-ffi, which loads the very file that we do."""
    tvm_ffi = importlib.import_module("tvm_ffi")
    vector_add = tvm.runtime.load_module(str(modules / "vector_add.so"))["vector_add"]
    a, b, out = arrays(3)
    vector_add(*map(tvm_ffi.from_dlpack, (a, b, out)))
    numpy.testing.assert_array_equal(out, a + b)
    short = [tvm_ffi.from_dlpack(array) for array in (a, b, out[:99])]
    expect_error(lambda: vector_add(*short), ValueError, "Mismatched")


def use_tvm(modules: pathlib.Path) -> None:
    """apache-tvm: its runtime and its compiler."""
    tvm, te = importlib.import_module("tvm"), importlib.import_module("tvm.te")
    use_tvm_ffi()
    use_their_tvm(tvm, modules)
    a = te.placeholder((8,), name="a")
    function = te.create_prim_func([a, te.compute((8,), lambda i: a[i] + 1.0, name="out")])
    compiled = tvm.compile(tvm.IRModule({"main": function}), target="llvm")
    assert compiled is not None


def use_tilelang(modules: pathlib.Path) -> None:
    """tilelang: the runtime of its TVM, and its compiler as far as a machine without a GPU goes."""
    tilelang = importlib.import_module("tilelang")
    use_tvm_ffi()
    use_their_tvm(tilelang.tvm, modules)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # `-I` leaves it out
    assert "__global__" in importlib.import_module("tilelang_program").cuda_source()


def main() -> int:
    """Uses both in the given order, then again, then in a child."""
    package, order, modules = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    uses: dict[str, Callable[[], None]] = {
        "none": lambda: None,
        "tvm_ffi": use_tvm_ffi,
        "tvm": lambda: use_tvm(modules),
        "tilelang": lambda: use_tilelang(modules),
    }
    steps: list[Callable[[], None]] = [uses[package], lambda: use_tilewright(modules)]
    for step in steps if order == "before" else reversed(steps):
        step()
    for step in steps:
        step()
    if package == "none":
        assert not {"tvm", "tvm_ffi", "torch"} & set(sys.modules), "another package was imported"
    warnings.filterwarnings("ignore", message=".*fork.*", category=DeprecationWarning)
    print("process ok", flush=True)
    child = os.fork()
    if child == 0:
        for step in steps:
            step()
        print("child ok", flush=True)
        sys.exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
