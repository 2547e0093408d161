# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The Python ABI that the selected toolchain stands for."""

PYTHON_TOOLCHAIN_TYPE = Label("@bazel_tools//tools/python:toolchain_type")

# Optional: a pure wheel needs no toolchain that knows its ABI.
PYTHON_TOOLCHAIN = config_common.toolchain_type(PYTHON_TOOLCHAIN_TYPE, mandatory = False)

def python_abi(ctx, reason):
    """Looks up the ABI of the Python toolchain; fails where it has none.

    Args:
      ctx: rule context.
      reason: str, what needs it; completes "... is needed because".

    Returns:
      struct with python_tag, abi_tag, ext_suffix and more.
    """
    toolchain = ctx.toolchains[PYTHON_TOOLCHAIN_TYPE]
    abi = getattr(toolchain, "abi", None) if toolchain else None
    if abi == None:
        fail(("{}: the Python toolchain says nothing of its ABI, which is needed because {}.\n" +
              "hint: register the toolchains of //tools/toolchains/python, or set the attributes" +
              " `python_tag` and `abi`").format(ctx.label, reason))
    return abi
