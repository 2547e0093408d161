# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension with toolkits that are whole and broken."""

load(":stand_in_toolkit.bzl", "stand_in_toolkit")

_NVCC = "echo 'Cuda compilation tools, release 12.8, V12.8.93'"

def _stand_in_toolkits_impl(_mctx):
    # The runtime lies in the second folder that is looked in, as Fedora has it.
    stand_in_toolkit(
        name = "stand_in_cuda",
        nvcc = _NVCC,
        files = [
            "include/cuda_runtime.h",
            "lib/libcublas.so.12",
            "lib/libcublasLt.so.12",
            "lib/libcudart.so.12",
            "lib64/libnvvm.so",
        ],
    )
    stand_in_toolkit(name = "stand_in_cuda_absent")
    stand_in_toolkit(
        name = "stand_in_cuda_broken",
        nvcc = "echo 'a \"library\" is missing' >&2; exit 127",
    )
    stand_in_toolkit(
        name = "stand_in_cuda_partial",
        nvcc = _NVCC,
        files = ["lib64/libcudart.so.11.0"],
    )

stand_in_toolkits = module_extension(
    implementation = _stand_in_toolkits_impl,
    doc = "Declares the stand-ins.",
)
