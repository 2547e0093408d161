# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: Python toolchains, the version flag and the interpreter of build actions."""

load("//tools/toolchains/python/private:python_toolchain.bzl", _PythonAbiInfo = "PythonAbiInfo", _python_toolchain = "python_toolchain")
load("//tools/toolchains/python/private:python_version.bzl", _python_version_flag = "python_version_flag", _selected_python = "selected_python")
load("//tools/toolchains/python/private:tool_python.bzl", _ToolPythonInfo = "ToolPythonInfo", _tool_python = "tool_python")
load("//tools/toolchains/python/private:tool_script.bzl", _tool_script = "tool_script")

PythonAbiInfo = _PythonAbiInfo
ToolPythonInfo = _ToolPythonInfo
python_toolchain = _python_toolchain
python_version_flag = _python_version_flag
selected_python = _selected_python
tool_python = _tool_python
tool_script = _tool_script
