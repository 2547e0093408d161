# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`zig_tool`: one of the programs inside the zig binary, as an executable of its own."""

load("//tools/toolchains:tool_configuration.bzl", "tool_configuration")

def _zig_tool_impl(ctx):
    zig = ctx.file.zig
    executable = ctx.actions.declare_file(ctx.label.name)

    # Every action runs in the execution root, so the relative path holds; nvcc's host compiler must be one word.
    ctx.actions.write(
        executable,
        "#!/bin/sh\nexec {} {} \"$@\"\n".format(zig.path, ctx.attr.subcommand),
        is_executable = True,
    )
    return [DefaultInfo(
        executable = executable,
        files = depset([executable]),
        runfiles = ctx.runfiles([zig]),
    )]

zig_tool = rule(
    implementation = _zig_tool_impl,
    cfg = tool_configuration,
    doc = "Writes a two-line script that runs a subcommand of zig which is a whole LLVM program: `clang`, `ld.lld`, `ar`, `objcopy`.",
    attrs = {
        "subcommand": attr.string(mandatory = True, doc = "The subcommand, for example `clang`."),
        "zig": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "The zig binary."),
    },
    executable = True,
)
