# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`repeatable_string_flag`: a string build setting that may be given several times."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

def _repeatable_string_flag_impl(ctx):
    return [BuildSettingInfo(value = ctx.build_setting_value)]

repeatable_string_flag = rule(
    implementation = _repeatable_string_flag_impl,
    doc = "A string build setting; each use on the command line adds a value.",
    build_setting = config.string(flag = True, allow_multiple = True),
    provides = [BuildSettingInfo],
)
