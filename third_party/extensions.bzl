# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension that declares the third-party archives; each dependency's folder holds its pin and its BUILD file."""

load("@package_archives//:defs.bzl", "debian_archive", "package_tree", "pypi_archive", "pypi_sdist")
load("//third_party/cuda:pin.bzl", "CUDA12_DEBS", "CUDA12_LAYOUT", "CUDA12_WHEELS", "CUDA13_EXECUTABLES", "CUDA13_LINKS", "CUDA13_WHEELS")
load("//third_party/diffoscope:pin.bzl", "DIFFOSCOPE_LIBRARIES", "DIFFOSCOPE_SDIST")
load("//third_party/libstdcxx:pin.bzl", "LIBSTDCXX_DEBS", "LIBSTDCXX_LIBRARY_DEBS")
load("//third_party/pybind11:pin.bzl", "PYBIND11_PACKAGES")
load("//third_party/tvm:pin.bzl", "TVM_FFI_PACKAGES", "TVM_SDIST")
load("//third_party/zig:pin.bzl", "ZIG_PACKAGES")

def _archives_impl(_mctx):
    package_tree(
        name = "cuda12",
        wheels = CUDA12_WHEELS,
        debs = CUDA12_DEBS,
        suite = "trixie",
        components = ["non-free"],
        layout = CUDA12_LAYOUT,
        files = {"//third_party/cuda:nvcc_12.profile": "bin/nvcc.profile"},
        build_file = "//third_party/cuda:toolkit.BUILD",
    )
    pypi_archive(
        name = "cuda13",
        packages = CUDA13_WHEELS,
        strip_prefix = "nvidia/cu13",
        executables = CUDA13_EXECUTABLES,
        links = CUDA13_LINKS,
        build_file = "//third_party/cuda:toolkit.BUILD",
    )
    pypi_sdist(
        name = "diffoscope",
        requirement = DIFFOSCOPE_SDIST.requirement,
        sha256 = DIFFOSCOPE_SDIST.sha256,
        strip_prefix = DIFFOSCOPE_SDIST.strip_prefix,
        build_file = "//third_party/diffoscope:diffoscope.BUILD",
    )
    pypi_archive(
        name = "diffoscope_libraries",
        packages = DIFFOSCOPE_LIBRARIES,
        build_file = "//third_party/pypi:distribution.BUILD",
    )
    debian_archive(
        name = "libstdcxx_headers",
        packages = LIBSTDCXX_DEBS,
        suite = "trixie",
        strip_prefix = "usr/include",
        build_file = "//third_party/libstdcxx:libstdcxx.BUILD",
    )
    debian_archive(
        name = "libstdcxx_libraries",
        packages = LIBSTDCXX_LIBRARY_DEBS,
        suite = "trixie",
        strip_prefix = "usr/lib/x86_64-linux-gnu",
        build_file = "//third_party/libstdcxx:libraries.BUILD",
    )
    pypi_archive(
        name = "pybind11_licenses",
        packages = PYBIND11_PACKAGES,
        build_file = "//third_party/pybind11:licenses.BUILD",
    )
    pypi_sdist(
        name = "tvm",
        requirement = TVM_SDIST.requirement,
        sha256 = TVM_SDIST.sha256,
        strip_prefix = TVM_SDIST.strip_prefix,
        patches = TVM_SDIST.patches,
        build_file = "//third_party/tvm:tvm.BUILD",
    )
    pypi_archive(
        name = "tvm_ffi",
        packages = TVM_FFI_PACKAGES,
        strip_prefix = "tvm_ffi",
        python_version = "3.12",
        build_file = "//third_party/tvm:tvm_ffi.BUILD",
    )
    pypi_archive(
        name = "zig",
        packages = ZIG_PACKAGES,
        strip_prefix = "ziglang",
        executables = ["zig"],
        build_file = "//third_party/zig:zig.BUILD",
    )

archives = module_extension(
    implementation = _archives_impl,
    doc = "Repositories of the vendored and toolchain archives.",
)
