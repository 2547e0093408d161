# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_places_test`: the places that `wheel_files` gives."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//tools/wheel:defs.bzl", "WheelFilesInfo")

def _wheel_places_test_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    places = [entry.path for entry in target[WheelFilesInfo].entries.to_list()]
    asserts.equals(env, sorted(ctx.attr.expected), sorted(places))
    return analysistest.end(env)

wheel_places_test = analysistest.make(
    _wheel_places_test_impl,
    attrs = {
        "expected": attr.string_list(
            mandatory = True,
            doc = "Paths in the wheel, in any order.",
        ),
    },
)
