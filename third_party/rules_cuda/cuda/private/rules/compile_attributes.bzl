# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Attributes that `cuda_library` and `cuda_objects` share."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//cuda/private:providers.bzl", "CudaInfo")
load("//cuda/private/actions:compile_job.bzl", "HEADER_EXTENSIONS", "SOURCE_EXTENSIONS")

COMPILE_ATTRIBUTES = {
    "archs": attr.string_list(doc = "Architectures to compile for, joined with `;`, in the grammar of `CudaArchsInfo`. Default: the flag `@rules_cuda//cuda:archs`."),
    "copts": attr.string_list(doc = "Options of nvcc. Those that choose a compilation phase, an architecture or relocatable device code are refused."),
    "defines": attr.string_list(doc = "Macros for this target and, in device code, for its dependents."),
    "deps": attr.label_list(providers = [[CcInfo], [CudaInfo]], doc = "C++ and CUDA libraries."),
    "hdrs": attr.label_list(allow_files = HEADER_EXTENSIONS, doc = "Headers of this target's interface."),
    "host_copts": attr.string_list(doc = "Options of the host compiler."),
    "host_defines": attr.string_list(doc = "Macros for this target and for its dependents."),
    "host_local_defines": attr.string_list(doc = "Macros for this target."),
    "includes": attr.string_list(doc = "Folders, relative to the package, that this target and its dependents search with `-isystem`."),
    "local_defines": attr.string_list(doc = "Macros for this target."),
    "ptxasopts": attr.string_list(doc = "Options of ptxas."),
    "srcs": attr.label_list(allow_files = SOURCE_EXTENSIONS + HEADER_EXTENSIONS, doc = "Sources, all compiled as CUDA, and private headers."),
    "_builtin_deps": attr.label_list(default = ["//cuda:runtime"]),
    "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    "_default_cuda_archs": attr.label(default = "//cuda:archs"),
    "_default_cuda_copts": attr.label(default = "//cuda:copts"),
    "_default_host_copts": attr.label(default = "//cuda:host_copts"),
}
