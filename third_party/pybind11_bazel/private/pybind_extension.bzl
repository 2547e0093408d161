# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pybind_extension`: a Python extension module."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load(":pybind_options.bzl", "PYBIND_COPTS", "PYBIND_DEPS", "PYBIND_FEATURES")

def pybind_extension(
        name,
        copts = [],
        features = [],
        linkopts = [],
        tags = [],
        deps = [],
        **kwargs):
    """Links an extension module from C++ code with pybind11.

    Targets: `NAME.so`, a `cc_binary` whose output is the file `NAME.so`; `NAME`, an alias of it. Symbols are hidden unless
    the code says otherwise; the interpreter's own are left for the process to supply.

    Args:
      name: name of the module.
      copts: options of the compiler.
      features: features of the C++ toolchain.
      linkopts: options of the linker.
      tags: tags of the target.
      deps: libraries. pybind11 and the Python headers are added.
      **kwargs: further attributes of `cc_binary`.
    """
    cc_binary(
        name = name + ".so",
        copts = copts + PYBIND_COPTS + ["-fvisibility=hidden"],
        features = features + PYBIND_FEATURES,
        linkopts = linkopts + [
            "-Wl,-Bsymbolic",
            "-Wl,-z,undefs",
        ],
        linkshared = True,
        tags = tags,
        deps = deps + PYBIND_DEPS,
        **kwargs
    )
    native.alias(
        name = name,
        actual = name + ".so",
        tags = tags,
        testonly = kwargs.get("testonly"),
        visibility = kwargs.get("visibility"),
    )
