# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Bandwidth of the operators beside eager PyTorch, torch.compile and a copy of the same bytes.

    python benchmarks/ops.py [--json] [--dtype bfloat16] [--operator rms_norm ...]

"copy" moves as many bytes as the operator; of PyTorch's copy and a compiled one, the faster counts.
"dram": so many sets of tensors are taken in turn that none is still in the L2 cache. "l2": one set,
which is there if it fits, as activations between two layers are. For shapes larger than the cache
the two agree.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

import torch
from operators import OPERATORS, Operator
from timing import seconds_per_launch

SHAPES = ((128, 4096), (16384, 4096), (65536, 8192))
CONTENDERS = ("tilewright", "eager", "compile", "copy")
COPIES = ("copy_", "compiled copy")


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of the table."""

    operator: str
    rows: int
    columns: int
    dtype: str
    data: str  # "dram" or "l2"
    microseconds: dict[str, float]
    gigabytes_per_second: dict[str, float]

    def ratio(self, other: str) -> float:
        """How many times faster tilewright is than `other`."""
        return self.microseconds[other] / self.microseconds["tilewright"]


def measure(operator: Operator, rows: int, columns: int, dtype: torch.dtype, data: str) -> Row:
    """Checks the operator once, then times every contender."""
    item_size = torch.empty((), dtype=dtype).element_size()
    traffic = operator.traffic * rows * columns * item_size
    cache = torch.cuda.get_device_properties().L2_cache_size
    sets = max(2, -(-3 * cache // traffic)) if data == "dram" else 1
    tensors = [operator.prepare(rows, columns, dtype) for _ in range(sets)]
    check(operator, tensors[0])
    torch._dynamo.reset()
    compiled = torch.compile(operator.formula, dynamic=False)
    copies = [random_bytes(traffic // 2) for _ in range(sets)]
    compiled_copy = torch.compile(torch.Tensor.copy_, dynamic=False)
    launches: dict[str, list[Callable[[], object]]] = {
        "tilewright": [bind(operator.ours, *each) for each in tensors],
        "eager": [bind(operator.formula, *each) for each in tensors],
        "compile": [bind(compiled, *each) for each in tensors],
        "copy_": [bind(to.copy_, source) for to, source in copies],
        "compiled copy": [bind(compiled_copy, to, source) for to, source in copies],
    }
    seconds = {name: seconds_per_launch(calls) for name, calls in launches.items()}
    seconds["copy"] = min(seconds.pop(name) for name in COPIES)
    return Row(
        operator.name,
        rows,
        columns,
        str(dtype).removeprefix("torch."),
        data,
        {name: value * 1e6 for name, value in seconds.items()},
        {name: traffic / value / 1e9 for name, value in seconds.items()},
    )


def random_bytes(count: int) -> tuple[Any, Any]:
    """Two buffers of `count` bytes, apart from one another; data that does not compress."""
    buffers = [torch.randint(2**31, (count // 4,), dtype=torch.int32, device="cuda") for _ in "ab"]
    return buffers[0], buffers[1]


def bind(function: Callable[..., object], *arguments: Any) -> Callable[[], object]:
    """A call of `function` with these arguments."""
    return lambda: function(*arguments)


def check(operator: Operator, tensors: tuple[Any, ...]) -> None:
    """Fails when tilewright's result is not PyTorch's, to within rounding."""
    expected = operator.formula(*(tensor.clone() for tensor in tensors))
    actual = operator.ours(*(tensor.clone() for tensor in tensors))
    torch.testing.assert_close(actual, expected, rtol=2e-2, atol=2e-2)


def line(row: Row) -> str:
    """One line of the table."""
    figures = "".join(
        f"{row.microseconds[name]:9.2f}{row.gigabytes_per_second[name]:7.0f}" for name in CONTENDERS
    )
    ratios = "".join(f"{row.ratio(name):11.3f}" for name in CONTENDERS[1:])
    shape = f"{row.rows}x{row.columns}"
    return f"{row.operator:<14}{shape:<12}{row.dtype:<10}{row.data:<5}{figures}{ratios}"


def heading() -> str:
    """The first lines of the table."""
    properties = torch.cuda.get_device_properties()
    columns = "".join(f"{name[:7]:>9}{'GB/s':>7}" for name in CONTENDERS)
    ratios = "".join(f"{'vs ' + name:>11}" for name in CONTENDERS[1:])
    return (
        f"{properties.name}, L2 {properties.L2_cache_size / 2**20:.0f} MiB, PyTorch "
        f"{torch.__version__}; microseconds and GB/s, then how many times faster tilewright is\n"
        f"{'operator':<14}{'shape':<12}{'dtype':<10}{'data':<5}{columns}{ratios}"
    )


def main(arguments: Sequence[str]) -> int:
    """Prints the table; returns the exit code."""
    parser = argparse.ArgumentParser(description="Bandwidth of the operators on this GPU.")
    parser.add_argument("--json", action="store_true", help="print JSON, one object a line")
    parser.add_argument("--dtype", default="bfloat16", choices=["float32", "float16", "bfloat16"])
    names = [operator.name for operator in OPERATORS]
    parser.add_argument("--operator", nargs="+", default=names, choices=names)
    options = parser.parse_args(arguments)
    if not torch.cuda.is_available():
        sys.stderr.write("benchmarks: PyTorch sees no CUDA GPU\n")
        return 1

    if not options.json:
        print(heading())
    for operator in OPERATORS:
        if operator.name not in options.operator:
            continue
        for rows, columns in SHAPES:
            for data in ("dram", "l2"):
                row = measure(operator, rows, columns, getattr(torch, options.dtype), data)
                print(
                    json.dumps(dataclasses.asdict(row)) if options.json else line(row), flush=True
                )
                torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
