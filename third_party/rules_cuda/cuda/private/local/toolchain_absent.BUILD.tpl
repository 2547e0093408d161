# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""No CUDA toolkit was found on this machine."""

load("@rules_cuda//cuda:defs.bzl", "cuda_toolchain", "cuda_toolchain_config_disabled")

package(default_visibility = ["//visibility:public"])

cuda_toolchain_config_disabled(
    name = "disabled-local-config",
    reason = "no CUDA toolkit on this machine; looked for `bin/nvcc` in %{places}\nhint: set CUDA_PATH to the toolkit's folder, or register a CUDA toolchain and name its runtime with --@rules_cuda//cuda:runtime",
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
