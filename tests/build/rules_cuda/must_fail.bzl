# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Targets that must not analyse, and what they must say."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cuda//cuda:defs.bzl", "cuda_library")

_VERSION = str(Label("//tools/toolchains/cuda:version"))

def _must_fail_impl(ctx):
    env = analysistest.begin(ctx)
    for message in ctx.attr.messages:
        asserts.expect_failure(env, message)
    return analysistest.end(env)

def _make(cuda_version):
    return analysistest.make(
        _must_fail_impl,
        expect_failure = True,
        attrs = {"messages": attr.string_list(mandatory = True)},
        config_settings = {_VERSION: cuda_version},
    )

_must_fail_12_4_test = _make("12.4")
_must_fail_13_0_test = _make("13.0")

# Name: (CUDA version, attributes, what the error must hold).
_CASES = {
    "archs_no_prefix": ("13.0", {"archs": ["90"]}, ["`archs`: `90` is not one of `sm_N`, `lto_N`, `compute_N`"]),
    "archs_stage1_gpu": ("13.0", {"archs": ["sm_80:sm_80"]}, ["`archs`: `sm_80` is not one of `compute_N`"]),
    "archs_stage1_newer": ("13.0", {"archs": ["compute_90:sm_80"]}, ["architecture 80 cannot be made from `compute_90`"]),
    "archs_suffix_lost": ("13.0", {"archs": ["compute_80:sm_80,sm_90a"]}, [
        "architecture 90a made from `compute_80` would lack its specific instructions",
        "hint: write `compute_90a:sm_90a`",
    ]),
    "archs_unknown": ("13.0", {"archs": ["sm_85"]}, ["`archs`: `sm_85` names no known architecture", "N is one of 30, 32"]),
    "archs_unsupported_12_4": ("12.4", {"archs": ["sm_80", "sm_100a"]}, [
        "rules_cuda:archs_unsupported_12_4: `archs`: nvcc 12.4 does not compile for architecture 100a",
        "it supports 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 90a",
    ]),
    "archs_unsupported_13_0": ("13.0", {"archs": ["sm_70"]}, [
        "rules_cuda:archs_unsupported_13_0: `archs`: nvcc 13.0 does not compile for architecture 70",
        "it supports 75, 80, 86, 87, 88, 89, 90, 90a, 100,",
    ]),
    "copts_arch": ("13.0", {"copts": ["-arch=sm_90"]}, ["rules_cuda:copts_arch: `copts`: `-arch=sm_90` is set by the rules"]),
    "copts_gencode": ("13.0", {"copts": ["--generate-code", "arch=compute_80,code=sm_80"]}, ["`copts`: `--generate-code`"]),
    "copts_phase": ("13.0", {"copts": ["-ptx"]}, ["`copts`: `-ptx` is set by the rules"]),
    "linkopts_rdc": ("13.0", {"linkopts": ["-rdc=true"]}, ["`linkopts`: `-rdc=true` is set by the rules"]),
    "ptxasopts_cubin": ("13.0", {"ptxasopts": ["--cubin"]}, ["`ptxasopts`: `--cubin` is set by the rules"]),
}

_TEST_RULES = {
    "12.4": _must_fail_12_4_test,
    "13.0": _must_fail_13_0_test,
}

def must_fail_suite(name):
    """Declares a library and a test for every case.

    Targets: for each case `CASE`, a `cuda_library`, and `CASE_test`; `NAME`, a `test_suite` of these tests.

    Args:
      name: name of the suite.
    """
    for case, (version, attributes, messages) in _CASES.items():
        cuda_library(name = case, srcs = ["scale.cu"], tags = ["manual"], **attributes)
        _TEST_RULES[version](
            name = case + "_test",
            messages = messages,
            tags = ["build"],
            target_under_test = ":" + case,
        )
    native.test_suite(name = name, tests = [":{}_test".format(case) for case in _CASES])
