# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_archs_flag`: the build setting behind `//cuda:archs`."""

load("//cuda/private:providers.bzl", "CudaArchsInfo")
load("//cuda/private/archs:parse_archs.bzl", "parse_archs")

def _cuda_archs_flag_impl(ctx):
    return [CudaArchsInfo(arch_specs = parse_archs(ctx.build_setting_value, ctx.label))]

cuda_archs_flag = rule(
    implementation = _cuda_archs_flag_impl,
    doc = "A string build setting whose value is parsed as architectures; see `CudaArchsInfo`.",
    build_setting = config.string(flag = True),
    provides = [CudaArchsInfo],
)
