// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/bindings/borrowed_tensor.h"

#include <string>
#include <utility>

#include "csrc/bindings/capsule_names.h"
#include "csrc/bindings/errors.h"

namespace tilewright::bindings {

namespace py = pybind11;

BorrowedTensor::BorrowedTensor(std::string subject, py::handle capsule)
    : subject_(std::move(subject)) {
  if (PyCapsule_IsValid(capsule.ptr(), kVersionedName)) {
    auto* managed =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.ptr(), kVersionedName));
    if (managed->version.major != DLPACK_MAJOR_VERSION) {
      Raise(TW_INVALID_ARGUMENT, subject_ + " was lent with DLPack version " +
                                     std::to_string(managed->version.major) + "." +
                                     std::to_string(managed->version.minor) +
                                     ", and this release of tilewright reads versions 0 and 1");
    }
    if (PyCapsule_SetName(capsule.ptr(), kUsedVersionedName) != 0) throw py::error_already_set();
    versioned_ = managed;
    tensor_ = &managed->dl_tensor;
  } else if (PyCapsule_IsValid(capsule.ptr(), kUnversionedName)) {
    auto* managed =
        static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kUnversionedName));
    if (PyCapsule_SetName(capsule.ptr(), kUsedUnversionedName) != 0) {
      throw py::error_already_set();
    }
    unversioned_ = managed;
    tensor_ = &managed->dl_tensor;
  } else {
    Raise(TW_INVALID_ARGUMENT, subject_ + " is no DLPack capsule, or was consumed before: " +
                                   std::string(py::repr(capsule)));
  }
}

BorrowedTensor::~BorrowedTensor() {
  if (versioned_ != nullptr && versioned_->deleter != nullptr) versioned_->deleter(versioned_);
  if (unversioned_ != nullptr && unversioned_->deleter != nullptr) {
    unversioned_->deleter(unversioned_);
  }
}

DLTensor* BorrowedTensor::writable_view() {
  if (versioned_ != nullptr && (versioned_->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) {
    Raise(TW_READ_ONLY, subject_ +
                            " is read-only, and the operation writes to it\n"
                            "hint: pass a writable array");
  }
  return tensor_;
}

}  // namespace tilewright::bindings
