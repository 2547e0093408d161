# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_toolchain_config_disabled`: a toolchain that says why there is none."""

load("//cuda/private:providers.bzl", "CudaToolchainConfigInfo")

def _cuda_toolchain_config_disabled_impl(ctx):
    return [CudaToolchainConfigInfo(
        cuda_toolkit = None,
        disabled_reason = ctx.attr.reason,
        features = [],
        nvcc_version = (0, 0),
        toolchain_identifier = "disabled",
    )]

cuda_toolchain_config_disabled = rule(
    implementation = _cuda_toolchain_config_disabled_impl,
    doc = "Provides a `CudaToolchainConfigInfo` with which every CUDA target fails to analyse, and says why.",
    attrs = {
        "reason": attr.string(
            default = "no CUDA toolkit is configured\nhint: register a CUDA toolchain, or mark the target with `target_compatible_with = requires_cuda()`",
            doc = "What is missing, and what to do.",
        ),
    },
    provides = [CudaToolchainConfigInfo],
)
