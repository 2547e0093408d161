# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point of `@pybind11_bazel`: the API of the upstream module of that name, hermetic."""

load("//private:pybind_extension.bzl", _pybind_extension = "pybind_extension")
load("//private:pybind_library.bzl", _pybind_library = "pybind_library")
load("//private:pybind_library_test.bzl", _pybind_library_test = "pybind_library_test")
load("//private:pybind_options.bzl", _PYBIND_COPTS = "PYBIND_COPTS", _PYBIND_DEPS = "PYBIND_DEPS", _PYBIND_FEATURES = "PYBIND_FEATURES")

pybind_extension = _pybind_extension
pybind_library = _pybind_library
pybind_library_test = _pybind_library_test

# What the three of them add to a target of one's own.
PYBIND_COPTS = _PYBIND_COPTS
PYBIND_DEPS = _PYBIND_DEPS
PYBIND_FEATURES = _PYBIND_FEATURES
