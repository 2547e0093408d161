# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`pybind_library_test`: a C++ test that embeds the interpreter."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load(":embedded_python_test.bzl", "embedded_python_test")
load(":pybind_options.bzl", "PYBIND_COPTS", "PYBIND_DEPS", "PYBIND_FEATURES")

_TEST_ONLY = ["args", "data", "env", "env_inherit", "flaky", "local", "shard_count", "size", "timeout"]

def pybind_library_test(
        name,
        copts = [],
        features = [],
        tags = [],
        deps = [],
        **kwargs):
    """Builds and runs a C++ test of code with pybind11, typically around a `pybind11::scoped_interpreter`.

    Targets: `NAME_bin`, a `cc_binary`; `NAME`, a test that runs it in the selected Python's environment.

    Args:
      name: name of the test.
      copts: options of the compiler.
      features: features of the C++ toolchain.
      tags: tags of the test.
      deps: libraries. pybind11 and the Python headers are added.
      **kwargs: further attributes of `cc_binary`; `data` and those that only a test has go to the test.
    """
    test_attributes = {key: kwargs.pop(key) for key in _TEST_ONLY if key in kwargs}
    visibility = kwargs.pop("visibility", None)
    kwargs.pop("testonly", None)
    cc_binary(
        name = name + "_bin",
        testonly = True,
        copts = copts + PYBIND_COPTS,
        features = features + PYBIND_FEATURES,
        # The interpreter's library is the machine's: the loader brings it in where the test runs.
        linkopts = kwargs.pop("linkopts", []) + ["-Wl,--unresolved-symbols=ignore-all"],
        tags = tags + ["manual"],
        visibility = ["//visibility:private"],
        deps = deps + PYBIND_DEPS,
        **kwargs
    )
    embedded_python_test(
        name = name,
        binary = ":{}_bin".format(name),
        tags = tags,
        visibility = visibility,
        **test_attributes
    )
