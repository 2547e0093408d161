# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""No CUDA toolkit was found on this machine."""

load("@bazel_skylib//rules:common_settings.bzl", "bool_setting")
load("@rules_cuda//cuda/private/rules:missing_library.bzl", "missing_library")

package(default_visibility = ["//visibility:public"])

bool_setting(
    name = "valid_toolchain_found",
    build_setting_default = False,
)

[
    missing_library(
        name = name,
        reason = "no CUDA toolkit on this machine; looked for `bin/nvcc` in %{places}\nhint: set CUDA_PATH to the toolkit's folder, or register a CUDA toolchain and name its runtime with --@rules_cuda//cuda:runtime",
    )
    for name in [
        "cuda_headers",
        "cuda_runtime",
        "cuda_runtime_static",
        "no_cuda_runtime",
    ]
]
