// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include <pybind11/pybind11.h>

#include "csrc/bindings/errors.h"
#include "csrc/bindings/register.h"
#include "tilewright/c_api.h"

PYBIND11_MODULE(_C, module) {
  module.doc() = "tilewright's C API for Python; not API itself, see the package `tilewright`.";
  module.def(
      "set_release",
      [](const std::string& release) {
        tilewright::bindings::Check(tw_set_release(release.c_str()));
      },
      pybind11::arg("release"));
  module.def("cpu_report", &tw_cpu_report);
  tilewright::bindings::RegisterTensor(module);
  tilewright::bindings::RegisterOps(module);
  tilewright::bindings::RegisterCuda(module);
  tilewright::bindings::RegisterTvm(module);
}
