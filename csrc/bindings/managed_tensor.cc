// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/bindings/managed_tensor.h"

#include <utility>

#include "csrc/bindings/borrowed_tensor.h"
#include "csrc/bindings/gil.h"

namespace tilewright::bindings {

namespace py = pybind11;

namespace {

struct Managed {
  Managed(std::string subject, py::handle capsule) : borrowed(std::move(subject), capsule) {}

  DLManagedTensorVersioned tensor{};
  BorrowedTensor borrowed;
};

void Delete(DLManagedTensorVersioned* self) {
  // Too late for the producer's deleter, which mostly is Python's: the memory stays.
  if (Py_IsInitialized() == 0) return;
  const PyGILState_STATE state = tw_ensure_gil();
  delete static_cast<Managed*>(self->manager_ctx);
  PyGILState_Release(state);
}

}  // namespace

ManagedTensor ManageTensor(std::string subject, py::handle capsule, bool read_only) {
  auto managed = std::make_unique<Managed>(std::move(subject), capsule);
  DLManagedTensorVersioned& tensor = managed->tensor;
  tensor.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  tensor.manager_ctx = managed.get();
  tensor.deleter = &Delete;
  tensor.flags = managed->borrowed.flags() | (read_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
  tensor.dl_tensor = *managed->borrowed.view();
  return ManagedTensor(&managed.release()->tensor);
}

}  // namespace tilewright::bindings
