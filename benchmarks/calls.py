# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a call costs on the host, in microseconds: small tensors, so that the GPU keeps up."""

from __future__ import annotations

import functools
import statistics
import sys
import time
from collections.abc import Callable

import torch
from operators import OPERATORS

CALLS = 1000


def microseconds(call: Callable[[], object]) -> float:
    """The median over batches of `CALLS` calls."""
    times = []
    for _ in range(9):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        times.append((time.perf_counter() - start) / CALLS * 1e6)
    return statistics.median(times)


def main() -> int:
    """Prints the table; returns the exit code."""
    if not torch.cuda.is_available():
        sys.stderr.write("benchmarks: PyTorch sees no CUDA GPU\n")
        return 1
    print(f"{'operator':<14}{'tilewright':>12}{'eager':>12}")
    with torch.inference_mode():
        for operator in OPERATORS:
            tensors = operator.prepare(1, 64, torch.bfloat16)
            ours = microseconds(functools.partial(operator.ours, *tensors))
            eager = microseconds(functools.partial(operator.formula, *tensors))
            print(f"{operator.name:<14}{ours:12.2f}{eager:12.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
