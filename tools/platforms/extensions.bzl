# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension that declares the platform of build actions."""

load("//tools/platforms/private:host_platform_repository.bzl", "host_platform_repository")

def _host_platform_impl(_mctx):
    host_platform_repository(name = "host_platform")

host_platform = module_extension(
    implementation = _host_platform_impl,
    doc = "Declares `@host_platform`, the platform that build actions run on.",
)
