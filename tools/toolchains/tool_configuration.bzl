# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`tool_configuration`: one configuration for what the toolchains run, whatever is being built."""

load("@pythons//:versions.bzl", DEFAULT_PYTHON = "DEFAULT")
load("//tools/toolchains/cuda:toolkits.bzl", DEFAULT_CUDA = "DEFAULT_VERSION")

# Build settings that vary within a build and mean nothing to a tool. Bazel 7 carries them into execution configurations,
# where each value would have every tool and the C++ runtime libraries built once more.
_DEFAULTS = {
    "//tools/toolchains/cuda:version": DEFAULT_CUDA,
    "//tools/toolchains/python:version": DEFAULT_PYTHON,
}

def _tool_configuration_impl(_settings, _attr):
    return _DEFAULTS

# For a rule's `cfg`.
tool_configuration = transition(
    implementation = _tool_configuration_impl,
    inputs = [],
    outputs = _DEFAULTS.keys(),
)
