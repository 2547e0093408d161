# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`missing_library`: a library that is not there, and says why."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _missing_library_impl(ctx):
    fail("{}: {}".format(ctx.label, ctx.attr.reason))

missing_library = rule(
    implementation = _missing_library_impl,
    doc = "Stands in for a library; whatever depends on it fails to analyse, with the reason.",
    attrs = {
        "reason": attr.string(mandatory = True, doc = "What is missing, and what to do."),
    },
    provides = [CcInfo],
)
