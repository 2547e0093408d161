# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`find_cuda_toolchain` and `use_cuda_toolchain`: the CUDA toolchain of a rule."""

CUDA_TOOLCHAIN_TYPE = Label("//cuda:toolchain_type")

def use_cuda_toolchain():
    """Returns the value for a rule's `toolchains` that gives it the CUDA toolchain."""
    return [CUDA_TOOLCHAIN_TYPE]

def find_cuda_toolchain(ctx):
    """Returns the CUDA toolchain of a rule.

    Args:
      ctx: the rule context; the rule declares `toolchains = use_cuda_toolchain()`.

    Returns:
      `platform_common.ToolchainInfo` as `cuda_toolchain` makes it. Fails where the toolchain is a disabled one.
    """
    toolchain = ctx.toolchains[CUDA_TOOLCHAIN_TYPE]
    if toolchain.config.disabled_reason:
        fail("{}: {}".format(ctx.label, toolchain.config.disabled_reason))
    return toolchain
