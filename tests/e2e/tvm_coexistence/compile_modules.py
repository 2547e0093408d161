# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
# mypy: ignore-errors
# TVMScript looks like Python and means something else.
"""Run by check.py where stock apache-tvm is installed: compiles the modules that the probes load.

usage: compile_modules.py FOLDER COMPILER
"""

import pathlib
import sys

import numpy
import tvm
from tvm import s_tir, te
from tvm.script import ir as I  # noqa: N812  (TVMScript knows it by this name)
from tvm.script import relax as R  # noqa: N812


def vector_add() -> tvm.IRModule:
    """`vector_add(a, b, out)` for vectors of any length."""
    n = te.var("n")
    a, b = te.placeholder((n,), name="a"), te.placeholder((n,), name="b")
    out = te.compute((n,), lambda i: a[i] + b[i], name="out")
    function = te.create_prim_func([a, b, out]).with_attr("global_symbol", "vector_add")
    return tvm.IRModule({"vector_add": function})


def twice(*, parallel: bool) -> tvm.IRModule:
    """`twice(a, out)` for 4096 elements, with aligned vector instructions or on the thread pool."""
    a = te.placeholder((4096,), name="a")
    out = te.compute((4096,), lambda i: a[i] * 2.0, name="out")
    function = te.create_prim_func([a, out]).with_attr("global_symbol", "main")
    schedule = s_tir.Schedule(tvm.IRModule({"main": function}))
    (loop,) = schedule.get_loops(schedule.get_sblock("out"))
    outer, inner = schedule.split(loop, [None, 8])
    if parallel:
        schedule.parallel(outer)
    schedule.vectorize(inner)
    return tvm.IRModule({"twice": schedule.mod["main"].with_attr("global_symbol", "twice")})


@I.ir_module
class Network:
    """`main(x, w) -> (x @ w, relu(x @ w + 0.5))` for the Relax virtual machine."""

    @R.function
    def main(
        x: R.Tensor((4, 8), "float32"),  # noqa: N805  (no method, whatever it looks like)
        w: R.Tensor((8, 2), "float32"),
    ) -> R.Tuple(R.Tensor((4, 2), "float32"), R.Tensor((4, 2), "float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.relu(R.add(y, R.const(numpy.full((4, 2), 0.5, "float32"))))
            R.output(y, z)
        return (y, z)


def main() -> None:
    """Writes the modules."""
    folder, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
    plain, avx2 = "llvm", {"kind": "llvm", "mcpu": "x86-64-v3"}
    for name, module, target, options in [
        ("vector_add", vector_add(), plain, []),
        ("vector_add_now", vector_add(), plain, ["-Wl,-z,now"]),
        ("vector_add_c", vector_add(), "c", []),
        ("parallel", twice(parallel=True), plain, []),
        ("avx2", twice(parallel=False), avx2, []),
        ("network", Network, plain, []),
    ]:
        compiled = tvm.compile(module, target=target)
        compiled.export_library(str(folder / f"{name}.so"), options=options, cc=compiler)


if __name__ == "__main__":
    main()
