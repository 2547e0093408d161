// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_BINDINGS_BORROWED_TENSOR_H_
#define TILEWRIGHT_BINDINGS_BORROWED_TENSOR_H_

#include <cstdint>
#include <string>

#include <pybind11/pybind11.h>

#include "tilewright/dlpack.h"

namespace tilewright::bindings {

// The tensor in a DLPack capsule, consumed as the protocol says: the capsule is renamed, and the
// producer's deleter runs exactly once, when this object goes. Needs the GIL to be made and
// destroyed.
class BorrowedTensor {
 public:
  // `subject` begins messages, such as "rms_norm: `x`".
  // Raises InvalidArgumentError when `capsule` is no unconsumed DLPack capsule, or one of a major
  // version that is not understood; such a capsule stays its owner's.
  BorrowedTensor(std::string subject, pybind11::handle capsule);
  ~BorrowedTensor();
  BorrowedTensor(const BorrowedTensor&) = delete;
  BorrowedTensor& operator=(const BorrowedTensor&) = delete;

  const DLTensor* view() const { return tensor_; }

  // DLManagedTensorVersioned::flags; none where the producer speaks the older protocol.
  std::uint64_t flags() const { return versioned_ != nullptr ? versioned_->flags : 0; }

  // Raises ReadOnlyError when the producer says that the memory must not be written to.
  DLTensor* writable_view();

 private:
  std::string subject_;
  // Exactly one of these two is not null.
  DLManagedTensor* unversioned_ = nullptr;
  DLManagedTensorVersioned* versioned_ = nullptr;
  DLTensor* tensor_ = nullptr;  // inside it
};

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_BORROWED_TENSOR_H_
