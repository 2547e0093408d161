# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Rules that show what the Python toolchain says, for the tests beside this file."""

load("@rules_python//python:defs.bzl", "PyRuntimeInfo")
load("//tools/toolchains/python:defs.bzl", "ToolPythonInfo")

_TOOLCHAIN = "@bazel_tools//tools/python:toolchain_type"

def _python_facts_impl(ctx):
    abi = ctx.toolchains[_TOOLCHAIN].abi
    facts = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(facts, json.encode({
        "abi_tag": abi.abi_tag,
        "ext_suffix": abi.ext_suffix,
        "include": abi.cc_info.compilation_context.system_includes.to_list(),
        "interpreter": abi.interpreter,
        "python_tag": abi.python_tag,
        "tool": ctx.attr.tool[PyRuntimeInfo].interpreter_path,
        "tool_python": ctx.attr._tool_python[ToolPythonInfo].interpreter,
        "version": abi.version,
    }))
    return [DefaultInfo(files = depset([facts]), runfiles = ctx.runfiles([facts]))]

python_facts = rule(
    implementation = _python_facts_impl,
    doc = "Writes the fields of the toolchain, and the interpreter of a py_binary built as a tool, as JSON.",
    attrs = {
        "tool": attr.label(mandatory = True, cfg = "exec", executable = True, providers = [PyRuntimeInfo], doc = "A py_binary."),
        "_tool_python": attr.label(default = "//tools/toolchains/python:tool_python", cfg = "exec", providers = [ToolPythonInfo]),
    },
    toolchains = [_TOOLCHAIN],
)

def _python_headers_impl(ctx):
    return [ctx.toolchains[_TOOLCHAIN].abi.cc_info]

python_headers = rule(
    implementation = _python_headers_impl,
    doc = "The headers of the chosen Python, for a C target.",
    toolchains = [_TOOLCHAIN],
)
