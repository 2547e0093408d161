# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`selected_abi`: the Python toolchain's ABI, for tests that expect names made from it."""

_PYTHON_TOOLCHAIN_TYPE = "@bazel_tools//tools/python:toolchain_type"

SelectedAbiInfo = provider(
    doc = "The tags that the selected Python stands for.",
    fields = {
        "abi_tag": "Such as cp312.",
        "ext_suffix": "Such as .cpython-312-x86_64-linux-gnu.so.",
        "python_tag": "Such as cp312.",
    },
)

def _selected_abi_impl(ctx):
    abi = ctx.toolchains[_PYTHON_TOOLCHAIN_TYPE].abi
    return [SelectedAbiInfo(
        abi_tag = abi.abi_tag,
        ext_suffix = abi.ext_suffix,
        python_tag = abi.python_tag,
    )]

selected_abi = rule(
    implementation = _selected_abi_impl,
    doc = "Provides SelectedAbiInfo; an analysis test cannot ask for a toolchain itself.",
    toolchains = [_PYTHON_TOOLCHAIN_TYPE],
)

SELECTED_ABI_ATTRS = {
    "abi": attr.label(
        default = "//tests/build/wheel:selected_abi",
        providers = [SelectedAbiInfo],
        doc = "The ABI to expect.",
    ),
}
