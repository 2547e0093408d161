# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`unpacked_wheel`: a wheel as an importable library, so that tests import what ships."""

load("@rules_python//python:defs.bzl", "PyInfo")

def _unpacked_wheel_impl(ctx):
    tree = ctx.actions.declare_directory(ctx.label.name)
    args = ctx.actions.args()
    args.add(ctx.file.wheel)
    args.add(tree.path)
    ctx.actions.run(
        executable = ctx.executable._unpack,
        arguments = [args],
        inputs = [ctx.file.wheel],
        outputs = [tree],
        mnemonic = "PyWheelUnpack",
        progress_message = "Unpacking wheel %{input}",
    )
    repository = ctx.label.workspace_name or ctx.workspace_name
    parts = [repository, ctx.label.package, ctx.label.name]
    runfiles = ctx.runfiles([tree]).merge_all([dep[DefaultInfo].default_runfiles for dep in ctx.attr.deps])
    return [
        DefaultInfo(files = depset([tree]), runfiles = runfiles),
        PyInfo(
            imports = depset(
                ["/".join([part for part in parts if part])],
                transitive = [dep[PyInfo].imports for dep in ctx.attr.deps],
            ),
            transitive_sources = depset(
                [tree],
                transitive = [dep[PyInfo].transitive_sources for dep in ctx.attr.deps],
            ),
        ),
    ]

unpacked_wheel = rule(
    implementation = _unpacked_wheel_impl,
    doc = """Unpacks a wheel into a folder that Python targets import from.

As an installer does, `.data/purelib` and `.data/platlib` land beside the packages; scripts, headers and other data are
left out. The `.dist-info` folder comes along, so `importlib.metadata` finds the distribution.""",
    attrs = {
        "deps": attr.label_list(
            providers = [PyInfo],
            doc = "Python libraries that the wheel requires. Default: none.",
        ),
        "wheel": attr.label(
            allow_single_file = [".whl"],
            mandatory = True,
            doc = "The wheel: a target that makes one, or a file.",
        ),
        "_unpack": attr.label(
            default = "//tools/wheel/unpack",
            cfg = "exec",
            executable = True,
        ),
    },
    provides = [PyInfo],
)
