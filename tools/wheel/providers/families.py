# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Families of libraries that another package or the machine provides, so no wheel may carry them.

A family is a list of soname patterns; `*` after `.so` takes in every version, because sonames do
not follow the version of the toolkit (CUDA 13 ships libcublas.so.13 beside libcusparse.so.12).
Names come from the packages given with each group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from .errors import UnknownFamilyError

#: What auditwheel adds to the name of a library, each time that it copies it into a wheel.
_GRAFT_HASHES = re.compile(r"(-[0-9a-f]{8})+(?=\.)")


@dataclass(frozen=True)
class Family:
    """Libraries with one provider."""

    name: str
    #: Who brings these libraries to the machine that runs the wheel.
    provider: str
    #: Soname patterns, shell style.
    patterns: tuple[str, ...]
    #: Whether importing the provider's package loads them, so that no search path need lead there.
    imported: bool = False
    #: Patterns of those that are looked for by file name at run time: no tool may rename them.
    by_name: tuple[str, ...] = ()

    def matches(self, library: str) -> bool:
        """Whether a soname or file name belongs to the family."""
        return any(fnmatchcase(library, pattern) for pattern in self.patterns)


def _all_versions(*stems: str) -> tuple[str, ...]:
    return tuple(f"{stem}.so*" for stem in stems)


#: The driver's libraries exist only on the machine with the GPU; no wheel ever carries them.
DRIVER = Family(
    "driver",
    "the NVIDIA driver",
    _all_versions("libcuda", "libcudadebugger", "libnvidia-*", "libnvcuvid", "libnvoptix"),
)

_CUDA = Family(
    "cuda",
    "the `nvidia-*` packages, a CUDA toolkit or the NVIDIA driver",
    (
        *DRIVER.patterns,
        # nvidia-cuda-runtime, nvidia-cuda-nvrtc, nvidia-nvjitlink, nvidia-nvvm, nvidia-nvtx
        *_all_versions("libcudart", "libnvrtc", "libnvrtc-builtins", "libnvJitLink", "libnvvm"),
        *_all_versions("libnvrtc.alt", "libnvrtc-builtins.alt"),
        *_all_versions("libnvfatbin", "libnvToolsExt", "libnvtx3interop", "libnvptxcompiler"),
        # nvidia-cublas, nvidia-cufft, nvidia-curand, nvidia-cusolver, nvidia-cusparse, nvidia-npp
        *_all_versions("libcublas", "libcublasLt", "libnvblas", "libcufft", "libcufftw"),
        *_all_versions("libcurand", "libcusolver", "libcusolverMg", "libcusparse", "libnpp*"),
        *_all_versions("libnvjpeg", "libnvjpeg2k", "libnvtiff"),
        # nvidia-cudnn, nvidia-nccl, nvidia-nvshmem, nvidia-cusparselt, nvidia-cufile
        *_all_versions("libcudnn", "libcudnn_*", "libnccl", "libnvshmem*", "libcusparseLt"),
        *_all_versions("libcufile", "libcufile_rdma", "nvshmem_*"),
        # nvidia-cuda-cupti
        *_all_versions("libcupti", "libnvperf_host", "libnvperf_target", "libpcsamplingutil"),
        "libcheckpoint.so*",
        # nvidia-cublasmp, nvidia-cudss, cutensor, nvidia-cufftmp, nvidia-cusolvermp
        *_all_versions("libcublasmp", "libcal", "libcudss*", "libcutensor*", "libcufftMp"),
        *_all_versions("libcusolverMp"),
    ),
    by_name=_all_versions(
        *(
            "libcudnn_*",
            "libcufile_rdma",
            "libnvrtc-builtins",
            "libnvshmem*",
            "libnvvm",
            "nvshmem_*",
        )
    ),
)

_TORCH = Family(
    "torch",
    "the `torch` package",
    _all_versions("libtorch", "libtorch_*", "libc10", "libc10_*", "libshm", "libcaffe2_*"),
    imported=True,
)

_TVM_FFI = Family(
    "tvm_ffi",
    "the `apache-tvm-ffi` package",
    _all_versions("libtvm_ffi", "libtvm_ffi_testing"),
    imported=True,
    by_name=_all_versions("libtvm_ffi"),
)

_TVM = Family(
    "tvm",
    "the `apache-tvm` package",
    _all_versions("libtvm", "libtvm_runtime", "libtvm_runtime_*", "libtvm_compiler"),
    by_name=_all_versions("libtvm", "libtvm_runtime", "libtvm_runtime_*", "libtvm_compiler"),
)

FAMILIES = {family.name: family for family in (DRIVER, _CUDA, _TORCH, _TVM_FFI, _TVM)}


def select_families(names: Iterable[str]) -> tuple[Family, ...]:
    """The families of these names, in table order, the driver's always among them.

    Raises:
        UnknownFamilyError: a name is not in the table.
    """
    wanted = {DRIVER.name, *names}
    unknown = sorted(wanted - set(FAMILIES))
    if unknown:
        raise UnknownFamilyError(
            f"unknown exclude family `{unknown[0]}`",
            hint=f"use one of {', '.join(f'`{name}`' for name in sorted(FAMILIES))}, or exclude "
            "single libraries by pattern",
        )
    return tuple(family for family in FAMILIES.values() if family.name in wanted)


def is_opened_by_name(library: str) -> bool:
    """Whether a library is looked for by its file name at run time."""
    return any(
        fnmatchcase(library, pattern) for family in FAMILIES.values() for pattern in family.by_name
    )


def original_name(path: str) -> str:
    """A library's file name without the hashes that grafting puts into it."""
    return _GRAFT_HASHES.sub("", PurePosixPath(path).name, count=1)
