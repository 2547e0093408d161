# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`cc_import_versioned_sos`: a shared library and its versioned names."""

load("@bazel_skylib//lib:paths.bzl", "paths")
load("@rules_cc//cc:cc_import.bzl", "cc_import")
load("@rules_cc//cc:cc_library.bzl", "cc_library")

def cc_import_versioned_sos(name, shared_library):
    """Imports `shared_library` together with every file whose name starts with it.

    Targets: one `cc_import` a file, by the file's name; `NAME`, a `cc_library` of them all.

    Args:
      name: name of the library.
      shared_library: path in the package, for example `lib/libcudart.so`, which takes in `lib/libcudart.so.13`.
    """
    files = native.glob([shared_library + "*"], allow_empty = True)
    for file in files:
        cc_import(
            name = paths.basename(file),
            shared_library = file,
            target_compatible_with = ["@platforms//os:linux"],
        )
    cc_library(
        name = name,
        deps = [":" + paths.basename(file) for file in files],
    )
