# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`zig_cc_features`: the flags that zig's clang and lld are called with."""

load("@rules_cc//cc:action_names.bzl", "ACTION_NAMES", "ALL_CC_LINK_ACTION_NAMES")
load(
    "@rules_cc//cc:cc_toolchain_config_lib.bzl",
    "feature",
    "flag_group",
    "flag_set",
    "with_feature_set",
)
load(":cxx_library.bzl", "LIBCXX_LIBRARIES", "libcxx_flags", "libstdcxx_flags")

C_ACTIONS = [
    ACTION_NAMES.assemble,
    ACTION_NAMES.c_compile,
    ACTION_NAMES.preprocess_assemble,
]

CPP_ACTIONS = [
    ACTION_NAMES.cpp_compile,
    ACTION_NAMES.cpp_header_parsing,
    ACTION_NAMES.cpp_module_codegen,
    ACTION_NAMES.cpp_module_compile,
    ACTION_NAMES.linkstamp_compile,
]

SHARED_LINK_ACTIONS = [
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

# In the order in which clang must search them.
_C_INCLUDES = [
    "lib/include",
    "lib/libc/include/x86_64-linux-gnu",
    "lib/libc/include/generic-glibc",
    "lib/libc/include/x86-linux-any",
    "lib/libc/include/any-linux-any",
]

_LIBRARIES = [
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

def _archives(paths):
    return [path.split("/")[-1] for path in paths if path.endswith(".a")]

def zig_cc_features(zig, libstdcxx, runtime, ld, glibc, cxx_libraries):
    """Makes the toolchain's features.

    Args:
      zig: File, the zig binary, whose folder holds the headers.
      libstdcxx: path of the folder with the headers of libstdc++.
      runtime: File, the folder made by `zig_runtime`.
      ld: File, the linker.
      glibc: oldest glibc to run on, such as `2.27`.
      cxx_libraries: list of File, libstdc++'s shared libraries to link; empty links libc++, statically.

    Returns:
      list of features, in the order in which their flags must come.
    """
    root = zig.dirname + "/"
    compile_actions = C_ACTIONS + CPP_ACTIONS
    isystem = [word for i in _C_INCLUDES for word in ("-isystem", root + i)]
    target = "--target=x86_64-unknown-linux-gnu"
    if cxx_libraries:
        cxx_headers = [(CPP_ACTIONS, libstdcxx_flags(libstdcxx), [])]
        libraries = [file.path for file in cxx_libraries]
    else:
        cxx_headers = [
            (CPP_ACTIONS, libcxx_flags(root + "lib"), ["-cuda_host"]),
            (CPP_ACTIONS, libstdcxx_flags(libstdcxx), ["cuda_host"]),
        ]
        libraries = [runtime.path + "/" + name for name in LIBCXX_LIBRARIES]
    libraries += [runtime.path + "/" + name for name in _LIBRARIES]
    return [
        _flags("default_compile_flags", [
            (CPP_ACTIONS, ["-std=c++17", "-nostdinc++"], []),
        ] + cxx_headers + [
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
                # `-ldl` and its like are in the runtime, and looked for nowhere on the machine.
                "--sysroot=" + runtime.path,
                "-L" + runtime.path,
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
            # A shared library exports its own symbols, and none of the runtime that is linked into it.
            (SHARED_LINK_ACTIONS, ["-Wl,-z,defs", "-Wl,--exclude-libs," + ":".join(_archives(libraries))], []),
        ] + ([
            # libstdc++'s library may itself need a newer glibc than the oldest to run on.
            (ALL_CC_LINK_ACTION_NAMES, ["-Wl,--allow-shlib-undefined"], []),
        ] if cxx_libraries else []) + [
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
            (ALL_CC_LINK_ACTION_NAMES, libraries, []),
        ]),
    ]
