# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`gpu_presence`: whether tests may use a GPU, for `config_setting(flag_values = ...)`."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")

def _gpu_presence_impl(ctx):
    flag = ctx.attr.flag[BuildSettingInfo].value
    present = ctx.attr.detected if flag == "auto" else flag == "yes"
    return [config_common.FeatureFlagInfo(value = "yes" if present else "no")]

gpu_presence = rule(
    implementation = _gpu_presence_impl,
    doc = "Gives `yes` or `no`.",
    attrs = {
        "detected": attr.bool(mandatory = True, doc = "Whether the machine has a GPU."),
        "flag": attr.label(mandatory = True, providers = [BuildSettingInfo], doc = "The flag: `auto`, `yes` or `no`."),
    },
)
