// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The choice of the CUDA kernel library, and what it found.

#include <cstdint>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "csrc/bindings/errors.h"
#include "csrc/bindings/register.h"
#include "csrc/bindings/stream.h"
#include "csrc/bindings/text.h"
#include "tilewright/c_api.h"

namespace tilewright::bindings {

namespace py = pybind11;

namespace {

void SetSearchPath(const std::vector<std::string>& directories) {
  std::vector<const char*> pointers;
  pointers.reserve(directories.size());
  for (const std::string& directory : directories) pointers.push_back(directory.c_str());
  Check(tw_cuda_set_search_path(pointers.data(), static_cast<std::int32_t>(pointers.size())));
}

void Load() { CheckWithoutGil(&tw_cuda_load); }

void Synchronize(std::int32_t device, std::uintptr_t stream) {
  CheckWithoutGil([&] { return tw_cuda_synchronize(device, AsStream(stream)); });
}

}  // namespace

void RegisterCuda(py::module_& module) {
  module.def("cuda_set_search_path", &SetSearchPath, py::arg("directories"));
  module.def("cuda_load", &Load);
  module.def("cuda_synchronize", &Synchronize, py::arg("device"), py::arg("stream"));
  module.def("cuda_report", [] { return Text(tw_cuda_report()); });
  module.def("cuda_devices", [] { return Text(tw_cuda_devices()); });
}

}  // namespace tilewright::bindings
