# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
# mypy: ignore-errors
# TileLang's programs look like Python and mean something else.
"""Imported by probe.py where tilelang is installed."""

import tilelang
import tilelang.language as T  # noqa: N812  (its own convention)
from tilelang import tvm


@T.prim_func
def add(
    a: T.Tensor((64,), "float32"),
    b: T.Tensor((64,), "float32"),
    out: T.Tensor((64,), "float32"),
) -> None:
    """`out = a + b` on a GPU."""
    with T.Kernel(1, threads=64):
        for i in T.Parallel(64):
            out[i] = a[i] + b[i]


def cuda_source() -> str:
    """Compiles `add` as far as a machine without a GPU goes."""
    with tvm.target.Target({"kind": "cuda", "arch": "sm_90"}) as target:
        return tilelang.lower(add, target=target).kernel_source
