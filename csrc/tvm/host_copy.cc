// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/tvm/host_copy.h"

#include <algorithm>
#include <cstring>

#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/error.h>
#include <tvm/runtime/device_api.h>
#include <tvm/runtime/tensor.h>

namespace tilewright::tvm {
namespace {

constexpr size_t kAlignment = ::tvm::runtime::kAllocAlignment;

bool IsOnHost(const DLTensor& tensor) {
  return tensor.device.device_type == kDLCPU || tensor.device.device_type == kDLCUDAHost;
}

char* Data(const DLTensor& tensor) { return static_cast<char*>(tensor.data) + tensor.byte_offset; }

}  // namespace

bool NeedsHostCopy(const DLTensor& tensor, bool read_only) {
  if (::tvm::ffi::GetDataSize(tensor) == 0) return false;
  return read_only ||
         (IsOnHost(tensor) && reinterpret_cast<uintptr_t>(Data(tensor)) % kAlignment != 0);
}

HostCopy::HostCopy(const DLTensor& source, bool read_only) : source_(Data(source)) {
  const char* const trait = read_only ? "read-only" : "not aligned to 64 bytes";
  if (!IsOnHost(source)) {
    TVM_FFI_THROW(ValueError) << "a tensor on a device is " << trait
                              << "\nhint: pass a copy of it that is writable and aligned";
  }
  if (!::tvm::ffi::IsContiguous(source)) {
    TVM_FFI_THROW(ValueError) << "a tensor is " << trait << " and not compact either"
                              << "\nhint: pass a compact copy of it";
  }
  copy_ = ::tvm::runtime::Tensor::Empty(::tvm::ffi::Shape(source.shape, source.shape + source.ndim),
                                        source.dtype, DLDevice{kDLCPU, 0});
  const size_t size = ::tvm::ffi::GetDataSize(source);
  std::memcpy(copy_.data_ptr(), source_, size);
  if (!read_only) before_.assign(source_, source_ + size);
}

void HostCopy::WriteBack() const {
  const char* after = static_cast<const char*>(copy_.data_ptr());
  // Most of it is unchanged, which memcmp finds fastest.
  for (size_t start = 0; start < before_.size(); start += kAlignment) {
    const size_t length = std::min(kAlignment, before_.size() - start);
    if (std::memcmp(after + start, before_.data() + start, length) != 0) {
      for (size_t i = start; i < start + length; ++i) {
        if (after[i] != before_[i]) source_[i] = after[i];
      }
    }
  }
}

}  // namespace tilewright::tvm
