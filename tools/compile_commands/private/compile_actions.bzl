# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`compile_actions`: an aspect that collects how the C++ and CUDA sources beneath a target are compiled."""

CompileActionsInfo = provider(
    doc = "Compilations of this repository's own sources. Set by `compile_actions`, read by `compile_commands`.",
    fields = {
        "compilations": "depset of JSON objects as strings: `mnemonic`, and `arguments` as the action runs them.",
    },
)

MNEMONICS = ["CppCompile", "CudaCompile"]

# Attributes through which C++ and CUDA code is linked in.
_EDGES = ["dep", "deps", "implementation_deps"]

def _compile_actions_impl(target, ctx):
    own = []
    if not ctx.label.workspace_root:
        own = [
            json.encode(struct(
                mnemonic = action.mnemonic,
                arguments = action.argv,
            ))
            for action in target.actions
            if action.mnemonic in MNEMONICS and action.argv
        ]

    beneath = []
    for edge in _EDGES:
        dependencies = getattr(ctx.rule.attr, edge, None) or []
        for dependency in dependencies if type(dependencies) == type([]) else [dependencies]:
            if CompileActionsInfo in dependency:
                beneath.append(dependency[CompileActionsInfo].compilations)
    return [CompileActionsInfo(compilations = depset(own, transitive = beneath))]

compile_actions = aspect(
    implementation = _compile_actions_impl,
    doc = "Collects `CompileActionsInfo` along the edges that C++ and CUDA code is linked by.",
    attr_aspects = _EDGES,
    provides = [CompileActionsInfo],
)
