# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of the pure functions behind `archs`, quoting and the macros' attributes."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("@rules_cuda//cuda:defs.bzl", "CudaArchsInfo", "cuda_archs")
load("@rules_cuda//cuda/private/actions:quoting.bzl", "quote_define", "quote_host_flag")  # buildifier: disable=bzl-visibility
load("@rules_cuda//cuda/private/archs:arch_arguments.bzl", "arch_arguments", "uses_lto")  # buildifier: disable=bzl-visibility
load("@rules_cuda//cuda/private/archs:arch_table.bzl", "supported_archs")  # buildifier: disable=bzl-visibility
load("@rules_cuda//cuda/private/archs:parse_archs.bzl", "parse_archs")  # buildifier: disable=bzl-visibility
load("@rules_cuda//cuda/private/macros:split_attributes.bzl", "split_attributes")  # buildifier: disable=bzl-visibility

# `archs` to the values of `-gencode`.
_GENCODE = {
    "": [],
    "compute_80": ["arch=compute_80,code=compute_80"],
    "compute_80:sm_80;compute_90a:sm_90a;compute_90": [
        "arch=compute_80,code=sm_80",
        "arch=compute_90a,code=sm_90a",
        "arch=compute_90,code=compute_90",
    ],
    "compute_80:sm_80,compute_86": ["arch=compute_80,code=sm_80", "arch=compute_80,code=compute_86"],
    "lto_90": ["arch=compute_90,code=lto_90"],
    "sm_86,sm_80": ["arch=compute_80,code=sm_86", "arch=compute_80,code=sm_80"],
    "sm_90,sm_100": ["arch=compute_90,code=sm_90", "arch=compute_90,code=sm_100"],
    "sm_90a": ["arch=compute_90a,code=sm_90a"],
}

def _parse_archs_test_impl(ctx):
    env = unittest.begin(ctx)
    for text, want in _GENCODE.items():
        info = CudaArchsInfo(arch_specs = parse_archs(text, ctx.label))
        got = [argument for argument in arch_arguments(info) if argument != "-gencode"]
        asserts.equals(env, want, got, "archs = `{}`".format(text))
        asserts.equals(env, "lto" in text, uses_lto(info))
        linked = [argument for argument in arch_arguments(info, device_link = True) if argument != "-gencode"]
        asserts.equals(env, [argument.replace("lto_", "sm_") for argument in want], linked)
    return unittest.end(env)

parse_archs_test = unittest.make(_parse_archs_test_impl)

def _supported_archs_test_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "50 52 53 60 61 62 70 72 75 80 86 87 89 90 90a", " ".join(supported_archs((12, 4))))
    asserts.equals(
        env,
        "75 80 86 87 88 89 90 90a 100 100a 100f 103 103a 103f 110 110a 110f 120 120a 120f 121 121a 121f",
        " ".join(supported_archs((13, 0))),
    )
    asserts.true(env, "90a" in cuda_archs)
    return unittest.end(env)

supported_archs_test = unittest.make(_supported_archs_test_impl)

def _quoting_test_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, "A=1", quote_define("A=1"))
    asserts.equals(env, "A=f(1\\,2)", quote_define("A=f(1,2)"))
    asserts.equals(env, "-fPIC", quote_host_flag("-fPIC"))
    asserts.equals(env, "'-DA=\"b c\"'", quote_host_flag("-DA=\"b c\""))
    asserts.equals(env, "'-Wl\\,x'", quote_host_flag("-Wl,x"))
    return unittest.end(env)

quoting_test = unittest.make(_quoting_test_impl)

def _split_attributes_test_impl(ctx):
    env = unittest.begin(ctx)
    library, final = split_attributes({
        "args": ["x"],
        "copts": ["-G"],
        "deps": [":d"],
        "host_copts": ["-Wall"],
        "srcs": ["a.cu"],
        "tags": ["t"],
        "visibility": ["//visibility:public"],
    }, ["args"])
    asserts.equals(env, {
        "alwayslink": True,
        "copts": ["-G"],
        "deps": [":d"],
        "host_copts": ["-Wall"],
        "srcs": ["a.cu"],
        "tags": ["t"],
    }, library)
    asserts.equals(env, {
        "args": ["x"],
        "copts": ["-Wall"],
        "tags": ["t"],
        "visibility": ["//visibility:public"],
    }, final)
    return unittest.end(env)

split_attributes_test = unittest.make(_split_attributes_test_impl)
