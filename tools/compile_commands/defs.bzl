# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `compilations`, and `compile_actions`, the aspect it collects with."""

load("//tools/compile_commands/private:compilations.bzl", _compilations = "compilations")
load("//tools/compile_commands/private:compile_actions.bzl", _CompileActionsInfo = "CompileActionsInfo", _compile_actions = "compile_actions")

CompileActionsInfo = _CompileActionsInfo
compilations = _compilations
compile_actions = _compile_actions
