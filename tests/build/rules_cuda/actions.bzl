# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What the rules' actions are, read from the analysed target."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cuda//cuda/private:providers.bzl", "CudaInfo")  # buildifier: disable=bzl-visibility

_VERSION = str(Label("//tools/toolchains/cuda:version"))

def _with_mnemonic(env, mnemonic):
    return [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]

def _pairs(argv, option):
    return [argv[i + 1] for i in range(len(argv) - 1) if argv[i] == option]

def _compile_actions_impl(ctx):
    env = analysistest.begin(ctx)
    actions = _with_mnemonic(env, "CudaCompile")
    outputs = sorted([a.outputs.to_list()[0].short_path.split("/_objs/")[1] for a in actions])
    asserts.equals(env, ctx.attr.outputs, outputs)
    for action in actions:
        asserts.equals(env, ctx.attr.gencode, _pairs(action.argv, "-gencode"))
        asserts.equals(env, {}, action.env, "the environment is empty, PATH included")
        asserts.true(env, "-objtemp" in action.argv, "intermediate files lie beside the object")
        asserts.true(env, "--orig_src_path_name={}".format(action.argv[action.argv.index("-c") + 1]) in action.argv, "nvcc is told the source's path")
        asserts.equals(env, ctx.attr.random_seed, any([a.startswith("--frandom-seed=") for a in action.argv]))
        asserts.equals(env, [], [a for a in action.argv if a.startswith("/")], "no absolute path")
        pic = action.outputs.to_list()[0].basename.endswith(".pic.o")
        asserts.equals(env, pic, "-fPIC" in _pairs(action.argv, "-Xcompiler"))
        rdc = ".rdc." in action.outputs.to_list()[0].basename
        asserts.true(env, ("-rdc=true" if rdc else "-rdc=false") in action.argv)
        for word in ctx.attr.words:
            asserts.true(env, word in action.argv, "`{}` is in the command line".format(word))
    return analysistest.end(env)

def _make_compile_actions(cuda_version):
    return analysistest.make(
        _compile_actions_impl,
        attrs = {
            "gencode": attr.string_list(),
            "outputs": attr.string_list(),
            "random_seed": attr.bool(),
            "words": attr.string_list(),
        },
        config_settings = {_VERSION: cuda_version},
    )

compile_actions_12_4_test = _make_compile_actions("12.4")
compile_actions_13_0_test = _make_compile_actions("13.0")

def _debug_flags_impl(ctx):
    env = analysistest.begin(ctx)
    for action in _with_mnemonic(env, "CudaCompile"):
        own = [action.argv[i] for i in range(1, len(action.argv)) if action.argv[i - 1] != "-Xcompiler"]
        asserts.true(env, "-O0" in own and "-g" in own, "nvcc is asked for code to debug")
        asserts.false(env, "-G" in own, "device code stays optimised unless `cuda_device_debug` is on")
    return analysistest.end(env)

debug_flags_test = analysistest.make(
    _debug_flags_impl,
    config_settings = {"//command_line_option:compilation_mode": "dbg"},
)

def _device_link_impl(ctx):
    env = analysistest.begin(ctx)
    actions = _with_mnemonic(env, "CudaDeviceLink")
    asserts.equals(env, ctx.attr.outputs, sorted([a.outputs.to_list()[0].short_path.split("/_objs/")[1] for a in actions]))
    for action in actions:
        asserts.true(env, "-dlink" in action.argv)
        objects = [a.rpartition("/")[2] for a in action.argv if a.endswith(".o") and "_dlink.o" not in a]
        suffix = ".rdc.pic.o" if "-fPIC" in action.argv else ".rdc.o"
        asserts.equals(env, [stem + suffix for stem in ctx.attr.objects], sorted(objects))
    return analysistest.end(env)

device_link_test = analysistest.make(
    _device_link_impl,
    attrs = {
        "objects": attr.string_list(doc = "Stems of the objects that are linked."),
        "outputs": attr.string_list(),
    },
)

def _handed_up_impl(ctx):
    env = analysistest.begin(ctx)
    info = analysistest.target_under_test(env)[CudaInfo]
    found = {
        field: ",".join([f.basename for f in getattr(info, field).to_list()])
        for field in dir(info)
        if field not in ["defines", "to_json", "to_proto"] and getattr(info, field).to_list()
    }
    asserts.equals(env, ctx.attr.objects, found)
    return analysistest.end(env)

handed_up_test = analysistest.make(
    _handed_up_impl,
    attrs = {"objects": attr.string_dict(doc = "From a field of `CudaInfo` to its files' names; fields not named are empty.")},
)
