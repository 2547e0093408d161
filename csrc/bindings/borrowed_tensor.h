// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_BINDINGS_BORROWED_TENSOR_H_
#define TILEWRIGHT_BINDINGS_BORROWED_TENSOR_H_

#include <pybind11/pybind11.h>

#include <string>

#include "tilewright/dlpack.h"

namespace tilewright::bindings {

// The tensor in a DLPack capsule, consumed as the protocol says: the capsule is renamed, and the
// producer's deleter runs exactly once, when this object goes. Needs the GIL to be made and
// destroyed. `argument` names it in messages.
class BorrowedTensor {
 public:
  // Raises InvalidArgumentError when `capsule` is no unconsumed DLPack capsule, or one of a major
  // version that is not understood; such a capsule stays its owner's.
  BorrowedTensor(std::string argument, pybind11::handle capsule);
  ~BorrowedTensor();
  BorrowedTensor(const BorrowedTensor&) = delete;
  BorrowedTensor& operator=(const BorrowedTensor&) = delete;

  const DLTensor* view() const { return tensor_; }

  // For callees that do not say which arguments they write to.
  DLTensor* unchecked_view() { return tensor_; }

  // Raises ReadOnlyError when the producer says that the memory must not be written to.
  DLTensor* writable_view();

 private:
  std::string argument_;
  // Exactly one of these two is not null.
  DLManagedTensor* unversioned_ = nullptr;
  DLManagedTensorVersioned* versioned_ = nullptr;
  DLTensor* tensor_ = nullptr;  // inside it
};

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_BORROWED_TENSOR_H_
