# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`wheel_files`: gives files their places in a wheel."""

load(":repository_path.bzl", "repository_path")
load(":wheel_files_info.bzl", "WheelFilesInfo")

def _wheel_files_impl(ctx):
    entries = []
    for target in ctx.attr.srcs:
        for file in target[DefaultInfo].files.to_list():
            path = _relative_path(ctx, target, file)
            entries.append(struct(file = file, path = (ctx.attr.dest + "/" if ctx.attr.dest else "") + path))
    return [
        DefaultInfo(files = depset(ctx.files.srcs)),
        WheelFilesInfo(entries = depset(entries)),
    ]

def _relative_path(ctx, target, file):
    prefix = ctx.attr.strip_prefix.rstrip("/")
    if not prefix:
        return file.basename
    path = repository_path(file)
    if prefix == ".":
        return path
    if not path.startswith(prefix + "/"):
        fail("{}: attribute `strip_prefix`: `{}` (from {}) is not below `{}`.\nhint: name a folder that holds all of `srcs`, or leave it unset to keep base names only".format(
            ctx.label,
            path,
            target.label,
            prefix,
        ))
    return path[len(prefix) + 1:]

wheel_files = rule(
    implementation = _wheel_files_impl,
    doc = "Places files in a wheel: at `dest`, by base name or with the folders below `strip_prefix`.",
    attrs = {
        "dest": attr.string(
            doc = "Folder in the wheel, such as `tilewright/lib`. Default: the wheel's root.",
        ),
        "srcs": attr.label_list(
            allow_files = True,
            mandatory = True,
            doc = "Targets whose default outputs are placed.",
        ),
        "strip_prefix": attr.string(
            doc = "Folder, relative to the repository's root, below which paths are kept; `.` is the root. Default: base names only.",
        ),
    },
    provides = [WheelFilesInfo],
)
