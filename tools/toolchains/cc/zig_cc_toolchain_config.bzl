# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`zig_cc_toolchain_config`: how Bazel calls zig's clang, lld and ar."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES")
load("@rules_cc//cc:cc_toolchain_config_lib.bzl", "action_config", "flag_group", "flag_set", "tool")
load(":zig_cc_features.bzl", "CPP_ACTIONS", "C_ACTIONS", "SHARED_LINK_ACTIONS", "zig_cc_features")

# Bazel's own features, which it enables only where an action asks for them.
_COMPILE_IMPLIES = [
    "user_compile_flags",
    "compiler_input_flags",
    "compiler_output_flags",
]

_LINK_IMPLIES = [
    "linkstamps",
    "output_execpath_flags",
    "runtime_library_search_directories",
    "library_search_directories",
    "libraries_to_link",
    "user_link_flags",
    "linker_param_file",
]

def _action_configs(clang, ar, objcopy):
    rows = [
        (clang, C_ACTIONS + CPP_ACTIONS, _COMPILE_IMPLIES),
        (clang, [ACTION_NAMES.cpp_link_executable], _LINK_IMPLIES),
        (clang, SHARED_LINK_ACTIONS, ["shared_flag"] + _LINK_IMPLIES),
        (ar, [ACTION_NAMES.cpp_link_static_library], ["archiver_flags", "linker_param_file"]),
    ]
    return [
        action_config(action_name = name, enabled = True, implies = implies, tools = [tool(tool = file)])
        for file, names, implies in rows
        for name in names
    ] + [
        action_config(
            action_name = ACTION_NAMES.strip,
            enabled = True,
            tools = [tool(tool = objcopy)],
            flag_sets = [flag_set(flag_groups = [flag_group(flags = ["--strip-all", "%{input_file}", "%{output_file}"])])],
        ),
    ]

def _zig_cc_toolchain_config_impl(ctx):
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        toolchain_identifier = "zig_libstdcxx" if ctx.files.cxx_libraries else "zig",
        compiler = "clang",
        target_cpu = "k8",
        target_system_name = "x86_64-unknown-linux-gnu",
        target_libc = "glibc_" + ctx.attr.glibc[BuildSettingInfo].value,
        abi_version = "gnu",
        abi_libc_version = "glibc_" + ctx.attr.glibc[BuildSettingInfo].value,
        features = zig_cc_features(ctx.file.zig, ctx.attr.libstdcxx.label.workspace_root, ctx.file.runtime, ctx.file.ld, ctx.attr.glibc[BuildSettingInfo].value, ctx.files.cxx_libraries),
        action_configs = _action_configs(ctx.file.clang, ctx.file.ar, ctx.file.objcopy),
        cxx_builtin_include_directories = [],
    )

zig_cc_toolchain_config = rule(
    implementation = _zig_cc_toolchain_config_impl,
    doc = "Configures zig's clang 18 and lld: start files and glibc's stubs from `runtime`, nothing from the machine.",
    attrs = {
        "ar": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "Archiver."),
        "cxx_libraries": attr.label_list(allow_files = True, cfg = "exec", doc = "libstdc++'s shared libraries, to link by their sonames. Default: libc++ from `runtime`, statically."),
        "clang": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "Compiler and link driver."),
        "glibc": attr.label(mandatory = True, providers = [BuildSettingInfo], doc = "Build setting that holds the oldest glibc to run on."),
        "ld": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "Linker."),
        "libstdcxx": attr.label(mandatory = True, cfg = "exec", doc = "Headers of libstdc++, whose repository's root holds `c++` and `x86_64-linux-gnu`."),
        "objcopy": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "Strips symbols."),
        "runtime": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "Folder made by `zig_runtime`."),
        "zig": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "The zig binary, whose folder holds the headers."),
    },
    provides = [CcToolchainConfigInfo],
)
