# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`py_package`: the files of Python packages, data included."""

load("@rules_python//python:defs.bzl", "PyInfo")
load(":repository_path.bzl", "repository_path")

def _py_package_impl(ctx):
    inputs = []
    for dep in ctx.attr.deps:
        inputs += [dep[DefaultInfo].files, dep[DefaultInfo].default_runfiles.files, dep[DefaultInfo].data_runfiles.files]
        if PyInfo in dep:
            inputs.append(dep[PyInfo].transitive_sources)
    files = depset(transitive = inputs)
    if ctx.attr.packages:
        folders = tuple([package.replace(".", "/") + "/" for package in ctx.attr.packages])
        files = depset([file for file in files.to_list() if repository_path(file).startswith(folders)])
    return [DefaultInfo(files = files)]

py_package = rule(
    implementation = _py_package_impl,
    doc = "Collects what `deps` need at run time, sources and data, for `py_wheel`.",
    attrs = {
        "deps": attr.label_list(
            mandatory = True,
            doc = "Python libraries.",
        ),
        "packages": attr.string_list(
            doc = "Only files in these folders, written with dots and from the repository's root: `python.tilewright`. Default: all.",
        ),
    },
)
