# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`must_fail_test`: a target whose analysis fails with the message expected."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _must_fail_test_impl(ctx):
    env = analysistest.begin(ctx)
    for part in ctx.attr.message:
        asserts.expect_failure(env, part)
    return analysistest.end(env)

_ATTRS = {
    "message": attr.string_list(
        mandatory = True,
        doc = "Parts that the message must have.",
    ),
}

must_fail_test = analysistest.make(
    _must_fail_test_impl,
    attrs = _ATTRS,
    expect_failure = True,
)

# With a Python toolchain that knows no ABI, as Bazel's own are.
bare_python_must_fail_test = analysistest.make(
    _must_fail_test_impl,
    attrs = _ATTRS,
    config_settings = {
        "//command_line_option:extra_toolchains": [str(Label("//tests/build/wheel:bare_python_toolchain"))],
    },
    expect_failure = True,
)

# For a platform that has no tag.
odd_platform_must_fail_test = analysistest.make(
    _must_fail_test_impl,
    attrs = _ATTRS,
    config_settings = {
        "//command_line_option:platforms": str(Label("//tests/build/wheel:odd_platform")),
    },
    expect_failure = True,
)
