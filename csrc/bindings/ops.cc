// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The operators, on DLPack capsules that they consume. Capsules are destroyed with the GIL held,
// after the work was enqueued (CUDA) or done (CPU).

#include <cstdint>

#include <pybind11/pybind11.h>

#include "csrc/bindings/borrowed_tensor.h"
#include "csrc/bindings/errors.h"
#include "csrc/bindings/register.h"
#include "csrc/bindings/stream.h"
#include "tilewright/c_api.h"

namespace tilewright::bindings {

namespace py = pybind11;

namespace {

void RmsNorm(py::handle x_capsule, py::handle weight_capsule, double eps, py::handle out_capsule,
             std::uintptr_t stream) {
  const BorrowedTensor x("rms_norm: `x`", x_capsule);
  const BorrowedTensor weight("rms_norm: `weight`", weight_capsule);
  BorrowedTensor out("rms_norm: `out`", out_capsule);
  DLTensor* const out_view = out.writable_view();
  CheckWithoutGil(
      [&] { return tw_rms_norm(x.view(), weight.view(), eps, out_view, AsStream(stream)); });
}

void AddRmsNorm(py::handle x_capsule, py::handle residual_capsule, py::handle weight_capsule,
                double eps, std::uintptr_t stream) {
  BorrowedTensor x("add_rms_norm: `x`", x_capsule);
  BorrowedTensor residual("add_rms_norm: `residual`", residual_capsule);
  const BorrowedTensor weight("add_rms_norm: `weight`", weight_capsule);
  DLTensor* const x_view = x.writable_view();
  DLTensor* const residual_view = residual.writable_view();
  CheckWithoutGil(
      [&] { return tw_add_rms_norm(x_view, residual_view, weight.view(), eps, AsStream(stream)); });
}

void SiluAndMul(py::handle x_capsule, py::handle out_capsule, std::uintptr_t stream) {
  const BorrowedTensor x("silu_and_mul: `x`", x_capsule);
  BorrowedTensor out("silu_and_mul: `out`", out_capsule);
  DLTensor* const out_view = out.writable_view();
  CheckWithoutGil([&] { return tw_silu_and_mul(x.view(), out_view, AsStream(stream)); });
}

}  // namespace

void RegisterOps(py::module_& module) {
  using py::arg;
  module.def("rms_norm", &RmsNorm, arg("x"), arg("weight"), arg("eps"), arg("out"), arg("stream"));
  module.def("add_rms_norm", &AddRmsNorm, arg("x"), arg("residual"), arg("weight"), arg("eps"),
             arg("stream"));
  module.def("silu_and_mul", &SiluAndMul, arg("x"), arg("out"), arg("stream"));
}

}  // namespace tilewright::bindings
