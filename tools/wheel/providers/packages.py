# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The packages of PyPI that the table is made from, by family."""

from __future__ import annotations

#: Components of the CUDA toolkit: `nvidia-<name>-cu12`, and `nvidia-<name>` since CUDA 13.
_TOOLKIT = (
    "cublas",
    "cuda-cupti",
    "cuda-nvcc",
    "cuda-nvrtc",
    "cuda-runtime",
    "cufft",
    "cufile",
    "curand",
    "cusolver",
    "cusparse",
    "npp",
    "nvfatbin",
    "nvjitlink",
    "nvjpeg",
    "nvtx",
)

#: Libraries with a version of their own: `nvidia-<name>-cu12` and `nvidia-<name>-cu13`.
_LIBRARIES = (
    "cublasmp",
    "cudnn",
    "cudss",
    "cufftmp",
    "cusolvermp",
    "cusparselt",
    "nccl",
    "nvjpeg2k",
    "nvshmem",
    "nvtiff",
)

PACKAGES = {
    "cuda": tuple(
        sorted(
            [
                "cuda-toolkit",
                "cutensor-cu12",
                "cutensor-cu13",
                "nvidia-nvvm",
                *(f"nvidia-{name}{suffix}" for name in _TOOLKIT for suffix in ("-cu12", "")),
                *(f"nvidia-{name}-cu{major}" for name in _LIBRARIES for major in (12, 13)),
            ]
        )
    ),
    "torch": ("torch",),
    "tvm": ("apache-tvm",),
    "tvm_ffi": ("apache-tvm-ffi",),
}

#: Versions that pip lists and has no wheel of.
WITHDRAWN = {"nvidia-cusparselt-cu12": ("0.7.0",)}
