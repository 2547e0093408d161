// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_TVM_HOST_COPY_H_
#define TILEWRIGHT_TVM_HOST_COPY_H_

#include <cstddef>
#include <vector>

#include <tvm/ffi/container/tensor.h>

namespace tilewright::tvm {

// Whether a tensor must not reach compiled code as it is. TVM's compiler assumes that data is
// aligned to 64 bytes and emits vector instructions that fault otherwise, and it does not know of
// read-only data. Most allocators, NumPy's among them, align to 16 bytes only.
bool NeedsHostCopy(const DLTensor& tensor, bool read_only);

// A compact, aligned copy of a host tensor for the time of one call.
class HostCopy {
 public:
  // Throws tvm::ffi::Error (kind `ValueError`) when `source` is not compact, or not on the host.
  // The memory of `source` must outlive WriteBack.
  HostCopy(const DLTensor& source, bool read_only);

  const ::tvm::ffi::Tensor& tensor() const { return copy_; }

  // Stores the bytes that the call has changed, and no others, into the source: another argument
  // may have changed their neighbours. Does nothing for a read-only source.
  void WriteBack() const;

 private:
  char* source_;
  ::tvm::ffi::Tensor copy_;
  std::vector<char> before_;  // empty when the source is read-only
};

}  // namespace tilewright::tvm

#endif  // TILEWRIGHT_TVM_HOST_COPY_H_
