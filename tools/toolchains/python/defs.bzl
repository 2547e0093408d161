# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `ToolPythonInfo` and the rule that provides it."""

load("//tools/toolchains/python/private:tool_python.bzl", _ToolPythonInfo = "ToolPythonInfo", _tool_python = "tool_python")

ToolPythonInfo = _ToolPythonInfo
tool_python = _tool_python
