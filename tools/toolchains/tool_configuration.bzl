# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`tool_configuration`: one configuration for what the toolchains run, whatever is being built."""

load("//tools/toolchains/cuda:toolkits.bzl", DEFAULT_CUDA = "DEFAULT_VERSION")

# Build settings that vary within a build and mean nothing to a tool. Bazel 7 carries them into execution configurations,
# where each value would have every tool and the C++ runtime libraries built once more. The version of Python is not among
# them: only the command line chooses it, and a value of the command line's that is undone here would move every tool to
# another path, so that building for a second Python compiled everything anew.
_DEFAULTS = {
    "//tools/toolchains/cuda:version": DEFAULT_CUDA,
}

def _tool_configuration_impl(_settings, _attr):
    return _DEFAULTS

# For a rule's `cfg`.
tool_configuration = transition(
    implementation = _tool_configuration_impl,
    inputs = [],
    outputs = _DEFAULTS.keys(),
)
