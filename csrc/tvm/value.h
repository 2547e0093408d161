// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments and results between the C API and TVM's own containers.

#ifndef TILEWRIGHT_TVM_VALUE_H_
#define TILEWRIGHT_TVM_VALUE_H_

#include <cstdint>
#include <vector>

#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>

#include "csrc/tvm/host_copy.h"
#include "tilewright/c_api.h"  // after TVM's headers, which bring their own dlpack.h

namespace tilewright::tvm {

// A handle is TVM's object itself, counted once.
TwTvmModule* ReleaseHandle(::tvm::ffi::Module module);
TwTvmFunction* ReleaseHandle(::tvm::ffi::Function function);
::tvm::ffi::Module Borrow(TwTvmModule* handle);
::tvm::ffi::Function Borrow(TwTvmFunction* handle);
void FreeHandle(void* handle) noexcept;

// The arguments of one call. Takes over every managed tensor, also when the constructor throws
// (tvm::ffi::Error of kind `TypeError` for an unknown kind of value, `ValueError` for a tensor that
// can be neither passed nor copied).
class Arguments {
 public:
  Arguments(const TwTvmValue* values, int32_t count);
  const ::tvm::ffi::AnyView* data() const { return views_.data(); }
  int32_t size() const { return static_cast<int32_t>(views_.size()); }

  // After the call: stores what it changed in tensors that had to be copied.
  void WriteBack() const;

 private:
  ::tvm::ffi::Any ToAny(const TwTvmValue& value);
  ::tvm::ffi::Any TakeTensor(DLManagedTensorVersioned* managed);
  ::tvm::ffi::Any ToArray(const TwTvmValue* values, size_t count);

  std::vector<::tvm::ffi::Any> owned_;
  std::vector<::tvm::ffi::AnyView> views_;
  std::vector<HostCopy> copies_;
  std::vector<::tvm::ffi::Any> copied_;  // keeps the sources of copies_ alive
};

// Moves a result out of TVM. Throws tvm::ffi::Error of kind `TypeError` for an object that the C
// API has no kind for.
TwTvmValue ToValue(const ::tvm::ffi::Any& any);

// Frees what a value owns and makes it TW_TVM_NONE.
void FreeValue(TwTvmValue* value) noexcept;

}  // namespace tilewright::tvm

#endif  // TILEWRIGHT_TVM_VALUE_H_
