# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_version_transition`: a target built for a given CUDA version, whatever the command line says."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_cuda//cuda/private:providers.bzl", "CudaInfo")  # buildifier: disable=bzl-visibility
load("//tools/toolchains/cuda:toolkits.bzl", "TOOLKITS")

_VERSION = "//tools/toolchains/cuda:version"

def _to_version_impl(_settings, attr):
    return {_VERSION: attr.version}

_to_version = transition(
    implementation = _to_version_impl,
    inputs = [],
    outputs = [_VERSION],
)

def _cuda_version_transition_impl(ctx):
    dep = ctx.attr.dep[0] if type(ctx.attr.dep) == "list" else ctx.attr.dep
    forwarded = [dep[provider] for provider in [CcInfo, CudaInfo, OutputGroupInfo] if provider in dep]
    info = dep[DefaultInfo]
    return forwarded + [DefaultInfo(files = info.files, runfiles = info.default_runfiles)]

cuda_version_transition = rule(
    implementation = _cuda_version_transition_impl,
    doc = """Forwards `CcInfo`, `CudaInfo` and files of `dep` built for one CUDA version.

Everything beneath `dep` is built once more for that version: give it CUDA code and headers, and link host code outside.
""",
    attrs = {
        "dep": attr.label(mandatory = True, cfg = _to_version, doc = "A `cuda_library`, `cuda_objects` or `cc_library`."),
        "version": attr.string(mandatory = True, values = TOOLKITS.keys(), doc = "CUDA version, a value of `//tools/toolchains/cuda:version`."),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)
