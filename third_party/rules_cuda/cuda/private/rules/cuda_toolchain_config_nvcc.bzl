# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_toolchain_config_nvcc`: how to call nvcc with a GCC-like host compiler."""

load("//cuda/private:providers.bzl", "CudaToolchainConfigInfo", "CudaToolkitInfo")

# Switched by `features` and `--features`; a leading `-` turns one off.
_FEATURES = [
    struct(name = "nvcc_relaxed_constexpr", enabled = True, flags = ["--expt-relaxed-constexpr"]),
    struct(name = "nvcc_extended_lambda", enabled = True, flags = ["--expt-extended-lambda"]),
    struct(name = "nvcc_allow_unsupported_compiler", enabled = False, flags = ["-allow-unsupported-compiler"]),
    struct(name = "cuda_device_debug", enabled = False, flags = ["--device-debug"]),
    struct(name = "arch_native", enabled = False, flags = ["-arch=native"]),
    struct(name = "arch_all", enabled = False, flags = ["-arch=all"]),
    struct(name = "arch_all_major", enabled = False, flags = ["-arch=all-major"]),
]

def _cuda_toolchain_config_nvcc_impl(ctx):
    toolkit = ctx.attr.cuda_toolkit[CudaToolkitInfo]
    return [CudaToolchainConfigInfo(
        cuda_toolkit = ctx.attr.cuda_toolkit,
        disabled_reason = "",
        features = _FEATURES,
        nvcc_version = (
            ctx.attr.nvcc_version_major or toolkit.version_major,
            ctx.attr.nvcc_version_minor if ctx.attr.nvcc_version_major else toolkit.version_minor,
        ),
        toolchain_identifier = ctx.attr.toolchain_identifier,
    )]

cuda_toolchain_config_nvcc = rule(
    implementation = _cuda_toolchain_config_nvcc_impl,
    doc = "Provides the `CudaToolchainConfigInfo` of nvcc.",
    attrs = {
        "cuda_toolkit": attr.label(mandatory = True, providers = [CudaToolkitInfo], doc = "The toolkit that nvcc belongs to."),
        "nvcc_version_major": attr.int(doc = "Major version of nvcc. Default: the toolkit's."),
        "nvcc_version_minor": attr.int(doc = "Minor version of nvcc. Default: the toolkit's."),
        "toolchain_identifier": attr.string(default = "nvcc", values = ["nvcc"], doc = "Name of the compiler."),
    },
    provides = [CudaToolchainConfigInfo],
)
