# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`selected_cuda`: the release of the CUDA toolchain that the configuration selects."""

load("@rules_cuda//cuda/private:providers.bzl", "CudaToolkitInfo")  # buildifier: disable=bzl-visibility

_TOOLCHAIN_TYPE = "@rules_cuda//cuda:toolchain_type"

SelectedCudaInfo = provider(
    doc = "Which CUDA a target is compiled for.",
    fields = {"version": "str: release of the selected toolchain, `13.0`; empty where there is none."},
)

def _selected_cuda_impl(ctx):
    toolchain = ctx.toolchains[_TOOLCHAIN_TYPE]
    if not toolchain or not toolchain.cuda_toolkit:
        return [SelectedCudaInfo(version = "")]
    toolkit = toolchain.cuda_toolkit[CudaToolkitInfo]
    return [SelectedCudaInfo(version = "{}.{}".format(toolkit.version_major, toolkit.version_minor))]

selected_cuda = rule(
    implementation = _selected_cuda_impl,
    doc = "Tells the release of the CUDA toolchain that a rule in this configuration gets.",
    toolchains = [config_common.toolchain_type(_TOOLCHAIN_TYPE, mandatory = False)],
    provides = [SelectedCudaInfo],
)
