# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pybind_library`: C++ code with pybind11, for extensions."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load(":pybind_options.bzl", "PYBIND_COPTS", "PYBIND_DEPS", "PYBIND_FEATURES")

def pybind_library(
        name,
        copts = [],
        features = [],
        tags = [],
        deps = [],
        **kwargs):
    """Compiles C++ code with pybind11 to a library that a `pybind_extension` links.

    Targets: `NAME`, a `cc_library`.

    Args:
      name: name of the library.
      copts: options of the compiler.
      features: features of the C++ toolchain.
      tags: tags of the target.
      deps: libraries. pybind11 and the Python headers are added.
      **kwargs: further attributes of `cc_library`.
    """
    cc_library(
        name = name,
        copts = copts + PYBIND_COPTS,
        features = features + PYBIND_FEATURES,
        tags = tags,
        deps = deps + PYBIND_DEPS,
        **kwargs
    )
