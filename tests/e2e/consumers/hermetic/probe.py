# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs the installed package: without CUDA's libraries, with them, with a GPU."""

import importlib.metadata
import importlib.util
from array import array

import example_cuda


def check_contents() -> None:
    names = [file.name for file in importlib.metadata.files("example-cuda") or []]
    assert not [name for name in names if name.startswith(("libcudart", "libnvrtc"))], names
    extras = importlib.metadata.metadata("example-cuda").get_all("Provides-Extra")
    assert extras == ["cuda13"], extras


def check_without_cuda() -> None:
    try:
        example_cuda.scale(array("f", [1, 2]), 3)
    except ImportError as error:
        assert "example-cuda[cuda13]" in str(error), error
        print("without CUDA's libraries:", error)
    else:
        raise AssertionError("a CUDA function ran without CUDA's libraries")


def check_with_cuda() -> None:
    ptx = example_cuda.compile_to_ptx('extern "C" __global__ void nothing() {}')
    assert ".entry nothing" in ptx, ptx
    try:
        example_cuda.compile_to_ptx("__global__ void broken(")
    except RuntimeError as error:
        assert "kernel.cu(1): error" in str(error), error
    values = array("f", [1, 2, 4])
    try:
        example_cuda.scale(values, 3)
    except RuntimeError as error:
        print("without a GPU:", error)
    else:
        assert values.tolist() == [3, 6, 12], values
        print("on the GPU:", values)


def main() -> None:
    check_contents()
    if importlib.util.find_spec("nvidia") is None:
        check_without_cuda()
    else:
        check_with_cuda()


if __name__ == "__main__":
    main()
