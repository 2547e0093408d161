# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""No CUDA toolkit of this machine can be used."""

load("@rules_cuda//cuda:defs.bzl", "cuda_toolchain", "cuda_toolchain_config_disabled")

package(default_visibility = ["//visibility:public"])

cuda_toolchain_config_disabled(
    name = "disabled-local-config",
    reason = %{reason},
)

cuda_toolchain(
    name = "disabled-local",
    toolchain_config = ":disabled-local-config",
)

toolchain(
    name = "nvcc-local-toolchain",
    toolchain = ":disabled-local",
    toolchain_type = "@rules_cuda//cuda:toolchain_type",
)
