# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_version_transition`: a target built for a given CUDA version, whatever the command line says."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_cuda//cuda/private:providers.bzl", "CudaInfo")  # buildifier: disable=bzl-visibility
load("//tools/toolchains/cuda:toolkits.bzl", "TOOLKITS")
load(":selected_cuda.bzl", "SelectedCudaInfo")

_VERSION = "//tools/toolchains/cuda:version"

def _to_version_impl(_settings, attr):
    return {_VERSION: attr.version}

_to_version = transition(
    implementation = _to_version_impl,
    inputs = [],
    outputs = [_VERSION],
)

def _check_version(ctx):
    """Fails where `--extra_toolchains` or the like put a toolchain of another CUDA first: the result would not be what its name says."""
    selected = ctx.attr._selected[0][SelectedCudaInfo].version
    if selected and selected.split(".")[0] != ctx.attr.version.split(".")[0]:
        fail("{}: `version`: CUDA {} is asked for, the selected toolchain is of CUDA {}\nhint: build a target for CUDA {}, or leave out `--config=host_toolchain`".format(
            ctx.label,
            ctx.attr.version,
            selected,
            selected.split(".")[0],
        ))

def _cuda_version_transition_impl(ctx):
    _check_version(ctx)
    dep = ctx.attr.dep[0] if type(ctx.attr.dep) == "list" else ctx.attr.dep
    forwarded = [dep[provider] for provider in [CcInfo, CudaInfo, OutputGroupInfo] if provider in dep]
    info = dep[DefaultInfo]
    return forwarded + [DefaultInfo(files = info.files, runfiles = info.default_runfiles)]

cuda_version_transition = rule(
    implementation = _cuda_version_transition_impl,
    doc = """Forwards `CcInfo`, `CudaInfo` and files of `dep` built for one CUDA version.

A toolchain of another major version, which a command line may put first, is an error. Everything beneath `dep` is built once more for that version: give it CUDA code and headers, and link host code outside.
""",
    attrs = {
        "dep": attr.label(mandatory = True, cfg = _to_version, doc = "A `cuda_library`, `cuda_objects` or `cc_library`."),
        "version": attr.string(mandatory = True, values = TOOLKITS.keys(), doc = "CUDA version, a value of `//tools/toolchains/cuda:version`."),
        "_selected": attr.label(default = "//tools/toolchains/cuda:selected", cfg = _to_version, providers = [SelectedCudaInfo]),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
)
