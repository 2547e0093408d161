// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_BINDINGS_MANAGED_TENSOR_H_
#define TILEWRIGHT_BINDINGS_MANAGED_TENSOR_H_

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

#include "tilewright/dlpack.h"

namespace tilewright::bindings {

struct DeleteManagedTensor {
  void operator()(DLManagedTensorVersioned* tensor) const { tensor->deleter(tensor); }
};

using ManagedTensor = std::unique_ptr<DLManagedTensorVersioned, DeleteManagedTensor>;

// Consumes a DLPack capsule and makes a tensor of it that may outlive the call it is passed to, and
// may be released by any thread, without the GIL, even when the interpreter has ended. `read_only`
// adds the flag of that name; the producer's own is kept.
// Raises as BorrowedTensor does. Needs the GIL.
ManagedTensor ManageTensor(std::string subject, pybind11::handle capsule, bool read_only);

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_MANAGED_TENSOR_H_
