# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`tool_script`: a program for `bazel run` that needs neither a Python toolchain nor a locked package."""

load(":tool_python.bzl", "ToolPythonInfo")

def _tool_script_impl(ctx):
    launcher = ctx.actions.declare_file(ctx.label.name)
    words = [ctx.attr._python[ToolPythonInfo].interpreter, "-I", ctx.file.src.short_path]
    words += [file.short_path for file in ctx.files.data]
    ctx.actions.write(
        launcher,
        "#!/bin/sh\nexec {} \"$@\"\n".format(" ".join(["'{}'".format(word) for word in words])),
        is_executable = True,
    )
    return [DefaultInfo(
        executable = launcher,
        runfiles = ctx.runfiles([ctx.file.src] + ctx.files.data),
    )]

tool_script = rule(
    implementation = _tool_script_impl,
    doc = "Runs a Python script on the interpreter of build actions, in its runfiles folder, with the paths of `data` as its first arguments. Use `py_binary` for anything that has dependencies.",
    executable = True,
    attrs = {
        "data": attr.label_list(allow_files = True, doc = "Files whose paths the script gets as its first arguments, in this order."),
        "src": attr.label(mandatory = True, allow_single_file = [".py"], doc = "The script."),
        "_python": attr.label(default = "//tools/toolchains/python:tool_python", providers = [ToolPythonInfo], cfg = "exec"),
    },
)
