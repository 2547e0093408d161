// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <torch/extension.h>

namespace {

at::Tensor ScaleAdd(const at::Tensor& x, const at::Tensor& y, double factor) {
  TORCH_CHECK(x.sizes() == y.sizes(), "scale_add: `y` has shape ", y.sizes(), ", `x` has ",
              x.sizes());
  return x * factor + y;
}

}  // namespace

PYBIND11_MODULE(_torch, module) { module.def("scale_add", &ScaleAdd); }
