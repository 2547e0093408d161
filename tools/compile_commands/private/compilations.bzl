# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`compilations`: the file of what `compile_actions` collects."""

load(":compile_actions.bzl", "CompileActionsInfo", "compile_actions")

def _compilations_impl(ctx):
    collected = depset(transitive = [
        target[CompileActionsInfo].compilations
        for target in ctx.attr.targets
        if CompileActionsInfo in target
    ])
    lines = ctx.actions.args()
    lines.set_param_file_format("multiline")
    lines.add_all(collected)
    output = ctx.actions.declare_file(ctx.label.name + ".jsonl")
    ctx.actions.write(output, lines)
    return [DefaultInfo(files = depset([output]))]

compilations = rule(
    implementation = _compilations_impl,
    doc = "Writes `NAME.jsonl`: one JSON object a line for each compilation of this repository's sources beneath `targets`. Nothing is compiled.",
    attrs = {
        "targets": attr.label_list(mandatory = True, aspects = [compile_actions], doc = "Libraries and binaries of C++ and CUDA code."),
    },
)
