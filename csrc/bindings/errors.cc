// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/bindings/errors.h"

#include "csrc/bindings/text.h"

namespace tilewright::bindings {

namespace py = pybind11;

namespace {

const char* ClassName(TwStatus status) {
  switch (status) {
    case TW_INVALID_ARGUMENT:
      return "InvalidArgumentError";
    case TW_SHAPE:
      return "ShapeError";
    case TW_DTYPE:
      return "DTypeError";
    case TW_DEVICE:
      return "DeviceError";
    case TW_STRIDE:
      return "StrideError";
    case TW_OVERLAP:
      return "OverlapError";
    case TW_READ_ONLY:
      return "ReadOnlyError";
    case TW_LIBRARY_NOT_FOUND:
      return "LibraryNotFoundError";
    case TW_CUDA:
      return "CudaError";
    case TW_TVM:
      return "TvmError";
    case TW_OUT_OF_MEMORY:
      return "OutOfMemoryError";
    case TW_OK:
    case TW_INTERNAL:
      break;
  }
  return "InternalError";
}

}  // namespace

void Raise(TwStatus status, const std::string& message) {
  const py::object type = py::module_::import("tilewright.errors").attr(ClassName(status));
  PyErr_SetObject(type.ptr(), Text(message).ptr());
  throw py::error_already_set();
}

void Check(TwStatus status) {
  if (status != TW_OK) Raise(status, tw_last_error());
}

}  // namespace tilewright::bindings
