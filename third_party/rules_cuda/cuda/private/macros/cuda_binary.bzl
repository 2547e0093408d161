# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_binary`: a program with CUDA sources."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("//cuda/private/rules:cuda_library.bzl", "cuda_library")
load(":split_attributes.bzl", "split_attributes")

_BINARY_ONLY = ["args", "env", "output_licenses"]

def cuda_binary(name, **attrs):
    """Builds a program from CUDA sources.

    Targets: `_NAME`, a `cuda_library` with the sources (`alwayslink` unless told otherwise); `NAME`, a `cc_binary` of it.

    Args:
      name: name of the program.
      **attrs: attributes of `cuda_library`; those called `host_*` apply to the `cc_binary` as well, under the name
        without that prefix. `args`, `env` and `output_licenses` go to the `cc_binary` alone.
    """
    library, binary = split_attributes(attrs, _BINARY_ONLY)
    library["tags"] = library.get("tags", []) + ["manual"]
    cuda_library(name = "_" + name, visibility = ["//visibility:private"], **library)
    cc_binary(name = name, deps = [":_" + name], **binary)
