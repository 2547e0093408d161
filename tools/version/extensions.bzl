# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes the content of VERSION a value at loading time: a wheel's file name must be known before any action runs."""

def _version_repository_impl(rctx):
    version = rctx.read(rctx.attr.file).strip()
    rctx.file("BUILD")
    rctx.file("version.bzl", "\"\"\"The version, as written in `{}`.\"\"\"\n\nVERSION = {}\n".format(
        rctx.attr.file.name,
        repr(version),
    ))

_version_repository = repository_rule(
    implementation = _version_repository_impl,
    attrs = {"file": attr.label(mandatory = True, allow_single_file = True)},
)

def _version_impl(_mctx):
    _version_repository(name = "tilewright_version", file = "//:VERSION")

version = module_extension(
    implementation = _version_impl,
    doc = "Declares `@tilewright_version`, whose `version.bzl` holds `VERSION`.",
)
