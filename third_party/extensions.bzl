# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension that declares the third-party archives; each dependency's folder holds its pin and its BUILD file."""

load("@package_archives//:defs.bzl", "pypi_archive")
load("//third_party/zig:pin.bzl", "ZIG_PACKAGES")

def _archives_impl(_mctx):
    pypi_archive(
        name = "zig",
        packages = ZIG_PACKAGES,
        strip_prefix = "ziglang",
        executables = ["zig"],
        build_file = "//third_party/zig:zig.BUILD",
    )

archives = module_extension(
    implementation = _archives_impl,
    doc = "Repositories of the vendored and toolchain archives.",
)
