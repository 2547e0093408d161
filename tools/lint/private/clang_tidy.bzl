# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`clang_tidy`: clang-tidy over the C++ sources beneath a target, one cached action a source."""

load("//tools/toolchains/python:defs.bzl", "ToolPythonInfo")

ClangTidyInfo = provider(
    doc = "Set by the aspect of `clang_tidy`, read by the rule.",
    fields = {
        "verdicts": "depset of File: an empty file for each source that clang-tidy found nothing in.",
    },
)

# Attributes through which C++ code is linked in.
_EDGES = ["dep", "deps", "implementation_deps"]

def _source_of(arguments):
    """Returns the argument after `-c`, or None."""
    return arguments[arguments.index("-c") + 1] if "-c" in arguments else None

def _headers(target, ctx):
    """Returns the headers that the target's sources may include; the compile actions themselves do not list them."""
    contexts = [dependency[CcInfo].compilation_context for dependency in [target] + _dependencies(ctx) if CcInfo in dependency]
    own = [file for attribute in ["srcs", "hdrs", "textual_hdrs"] for file in getattr(ctx.rule.files, attribute, [])]
    return depset(own, transitive = [context.headers for context in contexts])

def _dependencies(ctx):
    found = []
    for edge in _EDGES:
        value = getattr(ctx.rule.attr, edge, None) or []
        found += value if type(value) == type([]) else [value]
    return found

def _tidy(ctx, action, source, headers):
    verdict = ctx.actions.declare_file("_clang_tidy/{}/{}.ok".format(ctx.label.name, source.rpartition("/")[2]))
    ctx.actions.run(
        executable = ctx.attr._python[ToolPythonInfo].interpreter,
        arguments = [
            "-I",
            ctx.file._script.path,
            "--verdict=" + verdict.path,
            "--config=" + ctx.file._config.path,
            "--clang-tidy=" + ctx.file._clang_tidy.path,
            "--",
        ] + action.argv[1:],
        inputs = depset(
            [ctx.file._script, ctx.file._config, ctx.file._clang_tidy] + ctx.files._headers,
            transitive = [action.inputs, headers],
        ),
        outputs = [verdict],
        mnemonic = "ClangTidy",
        progress_message = "Checking {} with clang-tidy".format(source),
    )
    return verdict

def _clang_tidy_aspect_impl(target, ctx):
    verdicts, seen, headers = [], {}, _headers(target, ctx)
    if not ctx.label.workspace_root:
        for action in target.actions:
            if action.mnemonic != "CppCompile" or not action.argv:
                continue
            source = _source_of(action.argv)

            # With and without -fPIC is the same to clang-tidy.
            if source and source not in seen:
                seen[source] = True
                verdicts.append(_tidy(ctx, action, source, headers))

    beneath = [dependency[ClangTidyInfo].verdicts for dependency in _dependencies(ctx) if ClangTidyInfo in dependency]
    return [ClangTidyInfo(verdicts = depset(verdicts, transitive = beneath))]

_clang_tidy_aspect = aspect(
    implementation = _clang_tidy_aspect_impl,
    doc = "Checks each C++ source of this repository along the edges that code is linked by.",
    attr_aspects = _EDGES,
    attrs = {
        "_clang_tidy": attr.label(default = "@clang_tidy//:bin/clang-tidy", allow_single_file = True),
        "_config": attr.label(default = "//:.clang-tidy", allow_single_file = True),
        "_headers": attr.label(default = "@clang_tidy//:headers"),
        "_python": attr.label(default = "//tools/toolchains/python:tool_python", providers = [ToolPythonInfo], cfg = "exec"),
        "_script": attr.label(default = "//tools/lint/private:run_clang_tidy.py", allow_single_file = True),
    },
    provides = [ClangTidyInfo],
)

def _clang_tidy_impl(ctx):
    return [DefaultInfo(files = depset(transitive = [
        target[ClangTidyInfo].verdicts
        for target in ctx.attr.targets
    ]))]

clang_tidy = rule(
    implementation = _clang_tidy_impl,
    doc = """Runs clang-tidy over each C++ source of this repository beneath `targets`, with the flags that it is compiled with.

A finding fails the build of this target and prints it. CUDA sources are left out: clang-tidy 18 cannot read CUDA 13's headers.
""",
    attrs = {
        "targets": attr.label_list(mandatory = True, aspects = [_clang_tidy_aspect], doc = "Libraries and binaries of C++ code."),
    },
)
