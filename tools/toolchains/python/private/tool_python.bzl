# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`tool_python`: the interpreter for actions that run a plain script, without `py_binary` and its toolchains."""

ToolPythonInfo = provider(
    doc = "The interpreter that build actions and tools run on. It has no packages beyond the standard library that may be relied on.",
    fields = {
        "interpreter": "Absolute path of the interpreter, as a string.",
    },
)

def _tool_python_impl(ctx):
    return [ToolPythonInfo(interpreter = ctx.attr.interpreter)]

tool_python = rule(
    implementation = _tool_python_impl,
    doc = "Names the interpreter that build actions run on. Depend on `//tools/toolchains/python:tool_python` with `cfg = \"exec\"`.",
    attrs = {
        "interpreter": attr.string(mandatory = True, doc = "Absolute path of the interpreter."),
    },
    provides = [ToolPythonInfo],
)
