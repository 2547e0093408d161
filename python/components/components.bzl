# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What is in the wheel and not ours: attributes for `pypi_components` by name. Versions and hashes are those of the pins."""

load("//third_party/cuda:pin.bzl", "CUDA12_WHEELS", "CUDA13_WHEELS")
load("//third_party/pybind11:pin.bzl", "PYBIND11_PACKAGES")
load("//third_party/tvm:pin.bzl", "TVM_FFI_PACKAGES", "TVM_SDIST")
load("//third_party/zig:pin.bzl", "ZIG_PACKAGES")

_EXTENSION = ["tilewright/_C.*.so"]

# The linker takes zig's runtimes for every shared object.
_ALL = _EXTENSION + ["tilewright/lib/*.so"]

_TVM = dict(
    files = ["tilewright/lib/libtilewright_tvm.so"],
    package = "tilelang",
    pins = {TVM_SDIST.requirement: [TVM_SDIST.sha256]},
)

_ZIG = dict(files = _ALL, linkage = "static", package = "ziglang", pins = ZIG_PACKAGES)

_CUDA = dict(
    license_expression = "LicenseRef-NVIDIA-Proprietary",
    linkage = "header-only",
    notes = "the library is the one that users install",
)

COMPONENTS = {
    "apache-tvm-ffi": dict(
        files = ["tilewright/lib/libtilewright_ffi.so"],
        license_expression = "Apache-2.0",
        linkage = "header-only",
        notes = "its C API; the library is the one that users install",
        package = "apache-tvm-ffi",
        pins = TVM_FFI_PACKAGES,
    ),
    "compiler-rt": _TVM | dict(
        license_expression = "Apache-2.0 WITH LLVM-exception",
        linkage = "header-only",
        notes = "LLVM's builtin_fp16.h, the copy that comes with TVM",
        path = "3rdparty/tvm/3rdparty/compiler-rt",
        version = "0.25.dev0",
    ),
    "compiler_rt": _ZIG | dict(
        license_expression = "MIT",
        notes = "zig's port of LLVM's runtime library of the same name",
        path = "ziglang/lib/compiler_rt",
    ),
    "dlpack": _TVM | dict(
        license_expression = "Apache-2.0",
        linkage = "header-only",
        notes = "the copy that comes with TVM; the other libraries have declarations of their own",
        path = "3rdparty/tvm/3rdparty/tvm-ffi/3rdparty/dlpack",
        version = "1.3",
    ),
    "nvidia-cuda-runtime": _CUDA | dict(
        files = ["tilewright/lib/libtilewright_cuda13.so"],
        package = "nvidia-cuda-runtime",
        pins = CUDA13_WHEELS,
    ),
    "nvidia-cuda-runtime-cu12": _CUDA | dict(
        files = ["tilewright/lib/libtilewright_cuda12.so"],
        package = "nvidia-cuda-runtime-cu12",
        pins = CUDA12_WHEELS,
    ),
    "pybind11": dict(
        files = _EXTENSION,
        license_expression = "BSD-3-Clause",
        linkage = "header-only",
        package = "pybind11",
        pins = PYBIND11_PACKAGES,
    ),
    "tvm": _TVM | dict(
        license_expression = "Apache-2.0",
        linkage = "static",
        notes = "TileLang's fork, its runtime part alone, with the patches in third_party/tvm/patches",
        path = "3rdparty/tvm",
        version = "0.25.dev0",
    ),
    "tvm-ffi": _TVM | dict(
        license_expression = "Apache-2.0",
        linkage = "static",
        notes = "the copy that comes with TVM",
        path = "3rdparty/tvm/3rdparty/tvm-ffi",
        version = "0.1.11",
    ),
} | {
    library: _ZIG | dict(
        license_expression = "Apache-2.0 WITH LLVM-exception",
        notes = "LLVM's, built from the sources in zig",
        path = "ziglang/lib/" + library,
        version = "18.1.6",
    )
    for library in ["libcxx", "libcxxabi", "libunwind"]
}
