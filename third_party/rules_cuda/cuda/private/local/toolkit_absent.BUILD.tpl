# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""No CUDA toolkit of this machine can be used."""

load("@bazel_skylib//rules:common_settings.bzl", "bool_setting")
load("@rules_cuda//cuda/private/local:toolkit_libraries.bzl", "HEADER_LIBRARIES", "SHARED_LIBRARIES")
load("@rules_cuda//cuda/private/rules:missing_library.bzl", "missing_library")

package(default_visibility = ["//visibility:public"])

# For a build without other toolchains: `--@rules_cuda//cuda:valid_toolchain_found=false`.
bool_setting(
    name = "valid_toolchain_found",
    build_setting_default = False,
)

[
    missing_library(
        name = name,
        reason = %{reason},
    )
    for name in [
        "cuda_headers",
        "cuda_runtime",
        "cuda_runtime_static",
        "no_cuda_runtime",
    ] + HEADER_LIBRARIES + SHARED_LIBRARIES.keys()
]
