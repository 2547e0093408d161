# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`python_headers`: the headers of the Python toolchain, and no others."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_TOOLCHAIN_TYPE = "@bazel_tools//tools/python:toolchain_type"

def _python_headers_impl(ctx):
    abi = getattr(ctx.toolchains[_TOOLCHAIN_TYPE], "abi", None)
    if not abi:
        fail("{}: the selected Python toolchain has no headers: its field `abi` is absent\nhint: register a toolchain made by `python_toolchain` of `@tilewright//tools/toolchains/python:defs.bzl`, and install the interpreter's headers".format(ctx.label))
    return [abi.cc_info]

python_headers = rule(
    implementation = _python_headers_impl,
    doc = "Provides the `CcInfo` of the selected Python's headers, from field `abi.cc_info` of its toolchain.",
    toolchains = [_TOOLCHAIN_TYPE],
    provides = [CcInfo],
)
