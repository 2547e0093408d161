# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point of `@rules_cuda`: the API of the upstream module of that name, hermetic."""

load("//cuda/private:find_cuda_toolchain.bzl", _find_cuda_toolchain = "find_cuda_toolchain", _use_cuda_toolchain = "use_cuda_toolchain")
load("//cuda/private:providers.bzl", _CudaArchsInfo = "CudaArchsInfo")
load("//cuda/private/archs:arch_table.bzl", _cuda_archs = "cuda_archs")
load("//cuda/private/macros:cc_import_versioned_sos.bzl", _cc_import_versioned_sos = "cc_import_versioned_sos")
load("//cuda/private/macros:cuda_binary.bzl", _cuda_binary = "cuda_binary")
load("//cuda/private/macros:cuda_test.bzl", _cuda_test = "cuda_test")
load("//cuda/private/macros:platform_selects.bzl", _if_linux = "if_linux", _if_windows = "if_windows")
load("//cuda/private/macros:requires_cuda.bzl", _requires_cuda = "requires_cuda")
load("//cuda/private/rules:cuda_library.bzl", _cuda_library = "cuda_library")
load("//cuda/private/rules:cuda_objects.bzl", _cuda_objects = "cuda_objects")
load("//cuda/private/rules:cuda_toolchain.bzl", _cuda_toolchain = "cuda_toolchain")
load("//cuda/private/rules:cuda_toolchain_config_disabled.bzl", _cuda_toolchain_config_disabled = "cuda_toolchain_config_disabled")
load("//cuda/private/rules:cuda_toolchain_config_nvcc.bzl", _cuda_toolchain_config_nvcc = "cuda_toolchain_config_nvcc")
load("//cuda/private/rules:cuda_toolkit_info.bzl", _cuda_toolkit_info = "cuda_toolkit_info")

# Rules and macros for targets.
cuda_binary = _cuda_binary
cuda_library = _cuda_library
cuda_objects = _cuda_objects
cuda_test = _cuda_test
cc_import_versioned_sos = _cc_import_versioned_sos
if_linux = _if_linux
if_windows = _if_windows
requires_cuda = _requires_cuda

# Toolchains.
cuda_toolchain = _cuda_toolchain
cuda_toolchain_config_disabled = _cuda_toolchain_config_disabled
cuda_toolchain_config_nvcc = _cuda_toolchain_config_nvcc
cuda_toolkit = _cuda_toolkit_info  # the name in 0.2
cuda_toolkit_info = _cuda_toolkit_info
find_cuda_toolchain = _find_cuda_toolchain
use_cuda_toolchain = _use_cuda_toolchain

# Architectures.
CudaArchsInfo = _CudaArchsInfo
cuda_archs = _cuda_archs
