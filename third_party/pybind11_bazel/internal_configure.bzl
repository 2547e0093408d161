# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension that declares `@pybind11`, pybind11's headers from the package index."""

load("@package_archives//:defs.bzl", "pypi_archive")
load("//private:pin.bzl", "PYBIND11_WHEELS")

def _internal_configure_impl(_mctx):
    pypi_archive(
        name = "pybind11",
        packages = PYBIND11_WHEELS,
        strip_prefix = "pybind11",
        build_file = "//private:pybind11.BUILD",
    )

internal_configure_extension = module_extension(
    implementation = _internal_configure_impl,
    doc = "Declares `@pybind11`.",
)
