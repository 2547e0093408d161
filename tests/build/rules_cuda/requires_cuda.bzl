# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What `requires_cuda` asks of a platform, by the flags that turn CUDA off."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

_ConstraintsInfo = provider(
    doc = "What a target asks for.",
    fields = {"names": "list of str."},
)

def _constraints_impl(ctx):
    return [_ConstraintsInfo(names = [constraint.label.name for constraint in ctx.attr.constraints])]

constraints = rule(
    implementation = _constraints_impl,
    attrs = {"constraints": attr.label_list()},
)

def _constraints_test_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ctx.attr.expected, analysistest.target_under_test(env)[_ConstraintsInfo].names)
    return analysistest.end(env)

def _make(flags):
    return analysistest.make(
        _constraints_test_impl,
        attrs = {"expected": attr.string_list()},
        config_settings = {str(Label("@rules_cuda//cuda:" + flag)): value for flag, value in flags.items()},
    )

enabled_test = _make({})
disabled_test = _make({"enable": False})
without_toolchain_test = _make({"valid_toolchain_found": False})
