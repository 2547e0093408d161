# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`bare_python_toolchain`: a Python toolchain that knows no ABI."""

load("@rules_python//python:defs.bzl", "PyRuntimeInfo")

def _bare_python_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(py2_runtime = None, py3_runtime = ctx.attr.runtime[PyRuntimeInfo])]

bare_python_toolchain = rule(
    implementation = _bare_python_toolchain_impl,
    doc = "Has the fields that Bazel's own Python toolchains have, and no `abi`.",
    attrs = {
        "runtime": attr.label(
            mandatory = True,
            providers = [PyRuntimeInfo],
            doc = "The runtime; nothing runs on it.",
        ),
    },
)
