# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension that declares the repository of the machine's Python interpreters."""

load("//tools/toolchains/python/private:pythons_repository.bzl", "pythons_repository")

def _pythons_impl(_mctx):
    pythons_repository(name = "pythons")

pythons = module_extension(
    implementation = _pythons_impl,
    doc = "Declares `@pythons`, the interpreters found on this machine.",
)
