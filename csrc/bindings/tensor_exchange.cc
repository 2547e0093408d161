// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// `Tensor` for Python, with the two methods of the DLPack protocol.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "csrc/bindings/capsule_names.h"
#include "csrc/bindings/errors.h"
#include "csrc/bindings/register.h"
#include "csrc/bindings/tensor.h"

namespace tilewright::bindings {

namespace py = pybind11;

namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

Pair Device(const Tensor& tensor) {
  const DLDevice& device = tensor.view().device;
  return {device.device_type, device.device_id};
}

py::capsule Dlpack(const Tensor& tensor, const py::object& /*stream*/,
                   const std::optional<Pair>& max_version, const std::optional<Pair>& dl_device,
                   const std::optional<bool>& copy) {
  if (copy.value_or(false) || (dl_device && *dl_device != Device(tensor))) {
    throw py::buffer_error("a tilewright tensor can only be lent where it is, without a copy");
  }
  return tensor.Lend(max_version && max_version->first >= 1);
}

py::tuple Shape(const Tensor& tensor) {
  const DLTensor& view = tensor.view();
  py::tuple shape(view.ndim);
  for (std::int32_t axis = 0; axis < view.ndim; ++axis) shape[axis] = view.shape[axis];
  return shape;
}

std::string DTypeName(const Tensor& tensor) {
  const DLDataType& dtype = tensor.view().dtype;
  std::string name;
  switch (dtype.code) {
    case kDLInt:
      name = "int";
      break;
    case kDLUInt:
      name = "uint";
      break;
    case kDLFloat:
      name = "float";
      break;
    case kDLBfloat:
      name = "bfloat";
      break;
    case kDLBool:
      return "bool";
    default:
      name = "code" + std::to_string(dtype.code) + "_";
  }
  name += std::to_string(dtype.bits);
  return dtype.lanes == 1 ? name : name + "x" + std::to_string(dtype.lanes);
}

// Turns a capsule of a uint16 tensor, which its holder has not consumed, into one of bfloat16: for
// arrays whose library can only export the bits.
py::object RelabelAsBfloat16(py::object capsule) {
  DLTensor* tensor = nullptr;
  if (PyCapsule_IsValid(capsule.ptr(), kVersionedName)) {
    tensor =
        &static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.ptr(), kVersionedName))
             ->dl_tensor;
  } else if (PyCapsule_IsValid(capsule.ptr(), kUnversionedName)) {
    tensor = &static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kUnversionedName))
                  ->dl_tensor;
  }
  if (tensor == nullptr || tensor->dtype.code != kDLUInt || tensor->dtype.bits != 16) {
    Raise(TW_INVALID_ARGUMENT, "only an unconsumed capsule of uint16 can be read as bfloat16");
  }
  tensor->dtype.code = kDLBfloat;
  return capsule;
}

}  // namespace

void RegisterTensor(py::module_& module) {
  using py::arg;
  py::class_<Tensor>(module, "Tensor", py::is_final())
      .def_static("empty", &Tensor::Empty, arg("shape"), arg("dtype"))
      .def_property_readonly("shape", &Shape)
      .def_property_readonly("dtype", &DTypeName)
      .def("__dlpack__", &Dlpack, py::kw_only(), arg("stream") = py::none(),
           arg("max_version") = py::none(), arg("dl_device") = py::none(), arg("copy") = py::none())
      .def("__dlpack_device__", &Device);
  module.def("relabel_as_bfloat16", &RelabelAsBfloat16, arg("capsule"));
}

}  // namespace tilewright::bindings
