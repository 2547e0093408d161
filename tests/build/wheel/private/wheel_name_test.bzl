# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_name_test`: the name that a wheel has at analysis time."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//tools/wheel:defs.bzl", "PyWheelInfo")
load(":selected_abi.bzl", "SELECTED_ABI_ATTRS", "SelectedAbiInfo")

def _wheel_name_test_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    abi = ctx.attr.abi[SelectedAbiInfo]
    expected = ctx.attr.expected.format(python = abi.python_tag, abi = abi.abi_tag)
    asserts.equals(env, expected, target[PyWheelInfo].wheel.basename)
    asserts.equals(env, [target[PyWheelInfo].wheel], target[DefaultInfo].files.to_list())
    return analysistest.end(env)

wheel_name_test = analysistest.make(
    _wheel_name_test_impl,
    attrs = {
        "expected": attr.string(
            mandatory = True,
            doc = "File name; `{python}` and `{abi}` stand for the toolchain's tags.",
        ),
    } | SELECTED_ABI_ATTRS,
)
