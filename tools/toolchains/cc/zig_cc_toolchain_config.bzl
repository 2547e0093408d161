# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`zig_cc_toolchain_config`: how Bazel calls zig's clang, lld and ar."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES", "ALL_CC_LINK_ACTION_NAMES")
load(
    "@rules_cc//cc:cc_toolchain_config_lib.bzl",
    "action_config",
    "feature",
    "flag_group",
    "flag_set",
    "tool",
    "with_feature_set",
)

_C_ACTIONS = [
    ACTION_NAMES.assemble,
    ACTION_NAMES.c_compile,
    ACTION_NAMES.preprocess_assemble,
]

_CPP_ACTIONS = [
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
    ACTION_NAMES.cpp_module_codegen,
    ACTION_NAMES.cpp_module_compile,
    ACTION_NAMES.linkstamp_compile,
]

_SHARED_LINK_ACTIONS = [
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

# In the order in which clang must search them.
_CPP_INCLUDES = [
    "lib/libcxx/include",
    "lib/libcxxabi/include",
    "lib/libunwind/include",
]

_C_INCLUDES = [
    "lib/include",
    "lib/libc/include/x86_64-linux-gnu",
    "lib/libc/include/generic-glibc",
    "lib/libc/include/x86-linux-any",
    "lib/libc/include/any-linux-any",
]

# How zig configures the libc++ that `zig_runtime` builds; headers must agree with the archive.
_LIBCXX_DEFINES = [
    "_LIBCPP_ABI_VERSION=1",
    "_LIBCPP_ABI_NAMESPACE=__1",
    "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    "_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
    "_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS",
    "_LIBCPP_PSTL_CPU_BACKEND_SERIAL",
    "_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
]

_LIBRARIES = [
    "libc++.a",
    "libc++abi.a",
    "libunwind.a",
    "libm.so.6",
    "libpthread.so.0",
    "libc.so.6",
    "libdl.so.2",
    "librt.so.1",
    "libld.so.2",
    "libutil.so.1",
    "libresolv.so.2",
    "libc_nonshared.a",
    "libcompiler_rt.a",
    "crtn.o",
]

# Where `cuda_host` is on: nvcc's front end rejects libc++.
_STDCXX_INCLUDES = [
    "c++/12",
    "x86_64-linux-gnu/c++/12",
]

def _when(name):
    """A feature that must be on, or with a leading `-` off."""
    return with_feature_set(not_features = [name[1:]]) if name.startswith("-") else with_feature_set(features = [name])

def _flags(name, sets, enabled = True):
    """A feature from `[(actions, flags, with_features)]`."""
    return feature(
        name = name,
        enabled = enabled,
        flag_sets = [
            flag_set(
                actions = actions,
                flag_groups = [flag_group(flags = flags)],
                with_features = [_when(w) for w in with_features],
            )
            for actions, flags, with_features in sets
        ],
    )

def _features(zig, libstdcxx, runtime, ld, glibc):
    root = zig.dirname + "/"
    compile_actions = _C_ACTIONS + _CPP_ACTIONS
    isystem = [word for i in _C_INCLUDES for word in ("-isystem", root + i)]
    cpp_isystem = [word for i in _CPP_INCLUDES for word in ("-isystem", root + i)]
    stdcxx_isystem = [word for i in _STDCXX_INCLUDES for word in ("-isystem", libstdcxx + "/" + i)]
    target = "--target=x86_64-unknown-linux-gnu"
    return [
        _flags("default_compile_flags", [
            (_CPP_ACTIONS, ["-std=c++17", "-nostdinc++"], []),
            (_CPP_ACTIONS, cpp_isystem + ["-D" + d for d in _LIBCXX_DEFINES], ["-cuda_host"]),
            (_CPP_ACTIONS, stdcxx_isystem, ["cuda_host"]),
            (compile_actions, [target, "-nostdinc"] + isystem + [
                "-D__GLIBC_MINOR__=" + glibc.split(".")[1],
                "-no-canonical-prefixes",
                "-fno-omit-frame-pointer",
                "-fstack-protector-strong",
                "-ffunction-sections",
                "-fdata-sections",
                "-Wno-builtin-macro-redefined",
                "-D__DATE__=\"redacted\"",
                "-D__TIME__=\"redacted\"",
                "-D__TIMESTAMP__=\"redacted\"",
                # Names in debug information and in __FILE__ are relative to the execution root wherever it lies.
                "-fdebug-compilation-dir=.",
                "-fcoverage-compilation-dir=.",
            ], []),
            (compile_actions, ["-O2", "-DNDEBUG", "-g0"], ["opt"]),
            (compile_actions, ["-O0", "-g"], ["dbg"]),
            (compile_actions, ["-O1", "-g0"], ["fastbuild"]),
        ]),
        _flags("default_link_flags", [
            (ALL_CC_LINK_ACTION_NAMES, [
                target,
                "-nostdlib",
                "--ld-path=" + ld.path,
                "-Wl,--eh-frame-hdr",
                "-Wl,-z,now",
                "-Wl,-z,relro",
                "-Wl,-z,noexecstack",
                "-Wl,--gc-sections",
                "-Wl,--build-id=none",
                "-Wl,--as-needed",
                runtime.path + "/crti.o",
            ], []),
            (_SHARED_LINK_ACTIONS, ["-Wl,-z,defs"], []),
            ([ACTION_NAMES.cpp_link_executable], [
                "-pie",
                "-Wl,-dynamic-linker,/lib64/ld-linux-x86-64.so.2",
                runtime.path + "/Scrt1.o",
            ], []),
            (ALL_CC_LINK_ACTION_NAMES, ["-Wl,--strip-all"], ["opt"]),
        ]),

        # Bazel's own comes before the defaults, which would then win over a target's `linkopts`.
        feature(name = "user_link_flags", flag_sets = [flag_set(
            actions = ALL_CC_LINK_ACTION_NAMES,
            flag_groups = [flag_group(
                flags = ["%{user_link_flags}"],
                iterate_over = "user_link_flags",
                expand_if_available = "user_link_flags",
            )],
        )]),

        feature(name = "opt"),
        feature(name = "dbg"),
        feature(name = "fastbuild"),
        feature(name = "supports_pic", enabled = True),

        # rules_cuda turns it on where clang is nvcc's host compiler.
        feature(name = "cuda_host"),

        # A wheel's libraries are placed by the wheel: Bazel's `_solib` run paths mean nothing there.
        feature(name = "runtime_library_search_directories", enabled = True),

        # Bazel puts these after the objects and the user's flags; `crtn.o` closes the sections that `crti.o` opens.
        _flags("runtime_libraries", [
            (ALL_CC_LINK_ACTION_NAMES, [runtime.path + "/" + name for name in _LIBRARIES], []),
        ]),
    ]

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
        (clang, _C_ACTIONS + _CPP_ACTIONS, _COMPILE_IMPLIES),
        (clang, [ACTION_NAMES.cpp_link_executable], _LINK_IMPLIES),
        (clang, _SHARED_LINK_ACTIONS, ["shared_flag"] + _LINK_IMPLIES),
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
        toolchain_identifier = "zig",
        compiler = "clang",
        target_cpu = "k8",
        target_system_name = "x86_64-unknown-linux-gnu",
        target_libc = "glibc_" + ctx.attr.glibc[BuildSettingInfo].value,
        abi_version = "gnu",
        abi_libc_version = "glibc_" + ctx.attr.glibc[BuildSettingInfo].value,
        features = _features(ctx.file.zig, ctx.attr.libstdcxx.label.workspace_root, ctx.file.runtime, ctx.file.ld, ctx.attr.glibc[BuildSettingInfo].value),
        action_configs = _action_configs(ctx.file.clang, ctx.file.ar, ctx.file.objcopy),
        cxx_builtin_include_directories = [],
    )

zig_cc_toolchain_config = rule(
    implementation = _zig_cc_toolchain_config_impl,
    doc = "Configures zig's clang 18 and lld: libc++ static, start files and glibc's stubs from `runtime`, nothing from the machine.",
    attrs = {
        "ar": attr.label(mandatory = True, allow_single_file = True, cfg = "exec", doc = "Archiver."),
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
