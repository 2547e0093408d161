# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`zig_runtime`: the C and C++ runtime libraries for one glibc version, built once and declared."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//tools/toolchains:tool_configuration.bzl", "tool_configuration")
load("//tools/toolchains/python:defs.bzl", "ToolPythonInfo")

def _zig_runtime_impl(ctx):
    runtime = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add("-I")
    args.add(ctx.file._build)
    args.add("--zig", ctx.file.zig)
    args.add("--target", "x86_64-linux-gnu." + ctx.attr.glibc[BuildSettingInfo].value)
    args.add("--output", runtime.path)
    ctx.actions.run(
        executable = ctx.attr._python[ToolPythonInfo].interpreter,
        arguments = [args],
        inputs = depset([ctx.file.zig, ctx.file._build], transitive = [ctx.attr.sources[DefaultInfo].files]),
        outputs = [runtime],
        mnemonic = "ZigRuntime",
        progress_message = "Building libc++, libunwind and glibc's stubs for %{label}",
    )
    return [DefaultInfo(files = depset([runtime]))]

zig_runtime = rule(
    implementation = _zig_runtime_impl,
    cfg = tool_configuration,
    doc = """Builds libc++, libc++abi, libunwind, compiler-rt, the start files and glibc's link stubs with zig.

zig makes these in a private cache the first time it links; made here once, they are an input of every link like any other.
""",
    attrs = {
        "glibc": attr.label(mandatory = True, providers = [BuildSettingInfo], doc = "Build setting that holds the oldest glibc to run on."),
        "sources": attr.label(mandatory = True, doc = "zig's library sources."),
        "zig": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "The zig binary."),
        "_build": attr.label(default = "//tools/toolchains/cc:zig_runtime.py", allow_single_file = True),
        "_python": attr.label(default = "//tools/toolchains/python:tool_python", providers = [ToolPythonInfo], cfg = "exec"),
    },
)
