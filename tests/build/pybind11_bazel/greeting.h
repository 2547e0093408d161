// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_BUILD_PYBIND11_BAZEL_GREETING_H_
#define TESTS_BUILD_PYBIND11_BAZEL_GREETING_H_

#include <pybind11/pybind11.h>

namespace tilewright {

// Returns "hello, <name>"; raises ValueError for an empty name.
pybind11::str Greeting(const pybind11::str& name);

}  // namespace tilewright

#endif  // TESTS_BUILD_PYBIND11_BAZEL_GREETING_H_
