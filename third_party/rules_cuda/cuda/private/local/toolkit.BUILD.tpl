# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The CUDA toolkit at %{path}."""

load("@bazel_skylib//rules:common_settings.bzl", "bool_setting")
load("@rules_cc//cc:defs.bzl", "cc_import", "cc_library")

package(default_visibility = ["//visibility:public"])

bool_setting(
    name = "valid_toolchain_found",
    build_setting_default = True,
)

exports_files(glob(["toolkit/bin/*"]))

filegroup(
    name = "compiler_deps",
    srcs = glob(
        [
            "toolkit/bin/**",
            "toolkit/include/**",
            "toolkit/nvvm/**",
        ],
        allow_empty = True,
    ),
)

cc_library(
    name = "cuda_headers",
    hdrs = glob(["toolkit/include/**"]),
    includes = [
        "toolkit/include",
        "toolkit/include/cccl",
    ],
)

cc_import(
    name = "cudart",
    shared_library = glob(["%{library}/libcudart.so.%{major}"])[0],
)

cc_library(
    name = "cuda_runtime",
    deps = [
        ":cuda_headers",
        ":cudart",
    ],
)

cc_import(
    name = "cudart_static",
    static_library = "%{library}/libcudart_static.a",
)

cc_library(
    name = "cuda_runtime_static",
    linkopts = [
        "-ldl",
        "-lpthread",
        "-lrt",
    ],
    deps = [
        ":cuda_headers",
        ":cudart_static",
    ],
)

alias(
    name = "no_cuda_runtime",
    actual = ":cuda_headers",
)
