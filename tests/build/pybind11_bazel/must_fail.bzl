# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Selecting a Python without headers is an error that says so."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _bare_python_toolchain_impl(_ctx):
    return [platform_common.ToolchainInfo(py3_runtime = None, py2_runtime = None)]

bare_python_toolchain = rule(
    implementation = _bare_python_toolchain_impl,
    doc = "A Python toolchain as any other rule set makes it: without `abi`.",
)

def _no_headers_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "the selected Python toolchain has no headers: its field `abi` is absent")
    asserts.expect_failure(env, "hint: register a toolchain made by `python_toolchain`")
    return analysistest.end(env)

no_headers_test = analysistest.make(
    _no_headers_impl,
    config_settings = {"//command_line_option:extra_toolchains": str(Label("//tests/build/pybind11_bazel:bare_toolchain"))},
    expect_failure = True,
)
