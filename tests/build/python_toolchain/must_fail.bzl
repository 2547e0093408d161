# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Analysis tests of the version flag."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@pythons//:versions.bzl", "AVAILABLE")

def _absent_version_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "tools/toolchains/python:version=2.7`: no usable CPython 2.7 on this machine")
    for version, path in AVAILABLE.items():
        asserts.expect_failure(env, "{} ({})".format(version, path))
    asserts.expect_failure(env, "hint: choose one of these")
    return analysistest.end(env)

absent_version_test = analysistest.make(
    _absent_version_impl,
    doc = "Choosing an absent version is an error that names those present.",
    config_settings = {str(Label("//tools/toolchains/python:version")): "2.7"},
    expect_failure = True,
)
