# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`extension_name_test`: the name that `wheel_extension` gives."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load(":selected_abi.bzl", "SELECTED_ABI_ATTRS", "SelectedAbiInfo")

def _extension_name_test_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    abi = ctx.attr.abi[SelectedAbiInfo]
    names = [file.basename for file in target[DefaultInfo].files.to_list()]
    asserts.equals(env, [ctx.attr.module + abi.ext_suffix], names)
    return analysistest.end(env)

extension_name_test = analysistest.make(
    _extension_name_test_impl,
    attrs = {
        "module": attr.string(
            mandatory = True,
            doc = "Name of the module.",
        ),
    } | SELECTED_ABI_ATTRS,
)
