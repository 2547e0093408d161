# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The nvcc at %{path}, as a toolchain."""

load("@rules_cuda//cuda:defs.bzl", "cuda_toolchain", "cuda_toolchain_config_nvcc", "cuda_toolkit_info")

package(default_visibility = ["//visibility:public"])

cuda_toolkit_info(
    name = "cuda-toolkit",
    path = "%{path}",
    version = "%{version}",
)

cuda_toolchain_config_nvcc(
    name = "nvcc-local-config",
    cuda_toolkit = ":cuda-toolkit",
    nvcc_version_major = %{major},
    nvcc_version_minor = %{minor},
    toolchain_identifier = "nvcc",
)

# By its own path: the folders that nvcc looks in are relative to where it really lies.
cuda_toolchain(
    name = "nvcc-local",
    compiler_executable = "%{path}/bin/nvcc",
    compiler_files = "//:compiler_deps",
    toolchain_config = ":nvcc-local-config",
)

toolchain(
    name = "nvcc-local-toolchain",
    exec_compatible_with = ["@platforms//os:linux"],
    target_compatible_with = ["@platforms//os:linux"],
    target_settings = [
        "@rules_cuda//cuda:compiler_is_nvcc",
        "@rules_cuda//cuda:is_enabled",
    ],
    toolchain = ":nvcc-local",
    toolchain_type = "@rules_cuda//cuda:toolchain_type",
)
