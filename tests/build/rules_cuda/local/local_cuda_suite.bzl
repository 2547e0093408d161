# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What targets get from a toolkit of the machine, and what they are told where it is not whole."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

# What `--config=host_toolchain` sets for CUDA, with a stand-in in the machine's place.
_HOST_TOOLCHAIN = {
    "//command_line_option:extra_toolchains": str(Label("@stand_in_cuda//toolchain:nvcc-local-toolchain")),
    str(Label("@rules_cuda//cuda:runtime")): str(Label("@stand_in_cuda//:cuda_runtime")),
}

def _must_fail_impl(ctx):
    env = analysistest.begin(ctx)
    for message in ctx.attr.messages:
        asserts.expect_failure(env, message)
    return analysistest.end(env)

_MESSAGES = {"messages": attr.string_list(mandatory = True)}

must_fail_test = analysistest.make(_must_fail_impl, expect_failure = True, attrs = _MESSAGES)
host_toolchain_must_fail_test = analysistest.make(_must_fail_impl, expect_failure = True, attrs = _MESSAGES, config_settings = _HOST_TOOLCHAIN)

def _compiler_impl(ctx):
    env = analysistest.begin(ctx)
    actions = [a for a in analysistest.target_actions(env) if a.mnemonic == "CudaCompile"]
    asserts.true(env, actions, "there are compile actions")
    for action in actions:
        asserts.true(env, action.argv[0].endswith("stand_in_cuda/cuda/bin/nvcc"), action.argv[0])
        asserts.true(env, any([f.basename == "cuda_runtime.h" for f in action.inputs.to_list()]), "the toolkit's headers are inputs")
    return analysistest.end(env)

host_toolchain_compiler_test = analysistest.make(_compiler_impl, config_settings = _HOST_TOOLCHAIN)

def _libraries_impl(ctx):
    env = analysistest.begin(ctx)
    linker_inputs = analysistest.target_under_test(env)[CcInfo].linking_context.linker_inputs.to_list()
    found = sorted([library.dynamic_library.basename for i in linker_inputs for library in i.libraries])
    asserts.equals(env, ctx.attr.libraries, found)
    return analysistest.end(env)

libraries_test = analysistest.make(_libraries_impl, attrs = {"libraries": attr.string_list()})
