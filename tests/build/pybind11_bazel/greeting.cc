// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/build/pybind11_bazel/greeting.h"

namespace tilewright {

pybind11::str Greeting(const pybind11::str& name) {
  if (pybind11::len(name) == 0) throw pybind11::value_error("`name` is empty");
  return pybind11::str("hello, {}").format(name);
}

}  // namespace tilewright
