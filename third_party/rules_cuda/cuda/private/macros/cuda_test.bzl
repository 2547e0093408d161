# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cuda_test`: a test with CUDA sources."""

load("@rules_cc//cc:cc_test.bzl", "cc_test")
load("//cuda/private/rules:cuda_library.bzl", "cuda_library")
load(":split_attributes.bzl", "split_attributes")

_TEST_ONLY = ["args", "env", "env_inherit", "size", "timeout", "flaky", "shard_count", "local", "data"]

def cuda_test(name, **attrs):
    """Builds and runs a test from CUDA sources.

    Targets: `_NAME`, a test-only `cuda_library` with the sources (`alwayslink` unless told otherwise); `NAME`, a
    `cc_test` of it.

    Args:
      name: name of the test.
      **attrs: attributes of `cuda_library`; those called `host_*` apply to the `cc_test` as well, under the name without
        that prefix. `args`, `env`, `env_inherit`, `size`, `timeout`, `flaky`, `shard_count`, `local` and `data` go to the
        `cc_test` alone.
    """
    library, test = split_attributes(attrs, _TEST_ONLY)
    library["testonly"] = True
    test.pop("testonly", None)
    library["tags"] = library.get("tags", []) + ["manual"]
    cuda_library(name = "_" + name, visibility = ["//visibility:private"], **library)
    cc_test(name = name, deps = [":_" + name], **test)
