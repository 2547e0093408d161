# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`nvcc_arguments`: what every call of nvcc has in common."""

load("//cuda/private/archs:arch_arguments.bzl", "arch_arguments")
load(":quoting.bzl", "quote_host_flag")

def _feature_flags(ctx, config):
    flags = []
    for feature in config.features:
        enabled = feature.name not in ctx.disabled_features if feature.enabled else feature.name in ctx.features
        if enabled:
            flags += feature.flags
    return flags

def nvcc_arguments(ctx, cuda_toolchain, host, archs_info, device_link = False):
    """Starts the arguments of an nvcc action: host compiler, its flags, architectures, features.

    Args:
      ctx: the rule context.
      cuda_toolchain: the CUDA `ToolchainInfo`.
      host: what `host_compiler` returned.
      archs_info: `CudaArchsInfo`.
      device_link: whether for a device link.

    Returns:
      `Args`.
    """
    args = ctx.actions.args()
    args.add("-ccbin", host.path)
    if host.prepared:
        args.add("-allow-unsupported-compiler")
    if ctx.var["COMPILATION_MODE"] == "dbg":
        args.add_all(["-O0", "-g"])
    args.add_all(host.nvcc_flags)
    args.add_all(host.flags, before_each = "-Xcompiler", map_each = quote_host_flag)
    args.add_all(arch_arguments(archs_info, device_link))
    args.add_all(_feature_flags(ctx, cuda_toolchain.config))
    return args
