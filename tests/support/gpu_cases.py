# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Shapes for tests on a GPU."""

from __future__ import annotations

__all__ = ["DTYPES", "HIDDEN_SIZES", "ROWS"]

DTYPES = ("float32", "float16", "bfloat16")

# Below, at and beside the sizes of vectors, warps, blocks and what fits in registers.
HIDDEN_SIZES = (
    1, 2, 7, 8, 31, 32, 33, 64, 100, 255, 256, 512, 768, 1000, 1023, 1024, 1032, 2048, 2880, 3000,
    4095, 4096, 4097, 5120, 7168, 8191, 8192, 8200, 12288, 16383, 16384, 18432, 28672, 32768, 40000,
    65536, 65544, 65537, 131072, 200001,
)  # fmt: skip

ROWS = (1, 2, 3, 133, 1000)
