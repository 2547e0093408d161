# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The CUDA toolkit at %{path}."""

load("@bazel_skylib//rules:common_settings.bzl", "bool_setting")
load("@rules_cc//cc:defs.bzl", "cc_import", "cc_library")
load("@rules_cuda//cuda:defs.bzl", "cc_import_versioned_sos")
load("@rules_cuda//cuda/private/local:toolkit_libraries.bzl", "HEADER_LIBRARIES", "SHARED_LIBRARIES")
load("@rules_cuda//cuda/private/rules:missing_library.bzl", "missing_library")

package(default_visibility = ["//visibility:public"])

# For a build without other toolchains: `--@rules_cuda//cuda:valid_toolchain_found`.
bool_setting(
    name = "valid_toolchain_found",
    build_setting_default = True,
)

exports_files(glob(
    ["toolkit/bin/*"],
    allow_empty = True,
))

filegroup(
    name = "compiler_deps",
    srcs = glob(
        [
            "toolkit/bin/**",
            "toolkit/include/**",
            "toolkit/nvvm/**",
        ],
        allow_empty = True,
    ),
)

cc_library(
    name = "cuda_headers",
    hdrs = glob(
        ["toolkit/include/**"],
        allow_empty = True,
    ),
    includes = [
        "toolkit/include",
        "toolkit/include/cccl",
    ],
)

cc_import(
    name = "cudart",
    shared_library = "%{library}/libcudart.so.%{major}",
)

cc_library(
    name = "cuda_runtime",
    deps = [
        ":cuda_headers",
        ":cudart",
    ],
)

cc_import(
    name = "cudart_static",
    static_library = "%{library}/libcudart_static.a",
)

cc_library(
    name = "cuda_runtime_static",
    linkopts = [
        "-ldl",
        "-lpthread",
        "-lrt",
    ],
    deps = [
        ":cuda_headers",
        ":cudart_static",
    ],
)

alias(
    name = "no_cuda_runtime",
    actual = ":cuda_headers",
)

# --- The other libraries: those that the toolkit has, and for the rest an error that says so ---

[
    cc_import_versioned_sos(
        name = library + "_so",
        shared_library = "%{library}/lib" + library + ".so",
    )
    for libraries in SHARED_LIBRARIES.values()
    for library in libraries
]

[
    cc_library(
        name = name,
        deps = [":cuda_headers"] + [":{}_so".format(library) for library in libraries],
    ) if all([glob(
        ["%{library}/lib" + library + ".so*"],
        allow_empty = True,
    ) for library in libraries]) else missing_library(
        name = name,
        reason = "the CUDA toolkit in `%{path}` has no `lib{}.so`\nhint: install that part of CUDA".format(libraries[0]),
    )
    for name, libraries in SHARED_LIBRARIES.items()
]

[
    alias(
        name = name,
        actual = ":cuda_headers",
    )
    for name in HEADER_LIBRARIES
]
