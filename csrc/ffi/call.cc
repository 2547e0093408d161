// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/ffi/call.h"

#include <tvm/ffi/extra/c_env_api.h>

namespace tilewright::ffi {
namespace {

// Throws unless the libtvm_ffi.so in this process has the C ABI that this library was compiled for.
void RequireAbi() {
  TVMFFIVersion version{};
  TVMFFIGetVersion(&version);
  if (version.major == TVM_FFI_VERSION_MAJOR && version.minor == TVM_FFI_VERSION_MINOR) return;
  throw CallError{"RuntimeError",
                  "tilewright: the process has tvm-ffi " + std::to_string(version.major) + "." +
                      std::to_string(version.minor) + "." + std::to_string(version.patch) +
                      ", and this library was built for the C ABI of " +
                      std::to_string(TVM_FFI_VERSION_MAJOR) + "." +
                      std::to_string(TVM_FFI_VERSION_MINOR) +
                      "\nhint: `pip install 'tilewright[tvm-ffi]'` installs one that fits"};
}

// tvm-ffi turns these names into Python exceptions; others it does not know.
const char* KindOf(TwStatus status) {
  switch (status) {
    case TW_INVALID_ARGUMENT:
    case TW_SHAPE:
    case TW_DEVICE:
    case TW_STRIDE:
    case TW_OVERLAP:
    case TW_READ_ONLY:
      return "ValueError";
    case TW_DTYPE:
      return "TypeError";
    case TW_OUT_OF_MEMORY:
      return "MemoryError";
    default:
      return "RuntimeError";
  }
}

}  // namespace

void Call::RequireCount(int32_t expected) const {
  static const bool checked = (RequireAbi(), true);
  static_cast<void>(checked);
  if (count_ == expected) return;
  throw CallError{"TypeError", std::string("`") + signature_ + "` takes " +
                                   std::to_string(expected) + " arguments, got " +
                                   std::to_string(count_)};
}

DLTensor* Call::Tensor(int32_t index) const {
  const TVMFFIAny& argument = arguments_[index];
  if (argument.type_index == kTVMFFITensor) return TVMFFITensorGetDLTensorPtr(argument.v_obj);
  if (argument.type_index == kTVMFFIDLTensorPtr && argument.v_ptr != nullptr) {
    return static_cast<DLTensor*>(argument.v_ptr);
  }
  ThrowType(index, "a tensor");
}

double Call::Number(int32_t index) const {
  const TVMFFIAny& argument = arguments_[index];
  if (argument.type_index == kTVMFFIFloat) return argument.v_float64;
  if (argument.type_index == kTVMFFIInt) return static_cast<double>(argument.v_int64);
  ThrowType(index, "a number");
}

TwStream Call::Stream(const DLTensor& tensor) {
  if (tensor.device.device_type != kDLCUDA && tensor.device.device_type != kDLCUDAManaged) {
    return nullptr;
  }
  return TVMFFIEnvGetStream(kDLCUDA, tensor.device.device_id);
}

void Call::ThrowType(int32_t index, const char* expected) const {
  throw CallError{"TypeError", std::string("`") + signature_ + "`: argument " +
                                   std::to_string(index) + " is not " + expected +
                                   " (tvm-ffi type index " +
                                   std::to_string(arguments_[index].type_index) + ")"};
}

void Check(TwStatus status) {
  if (status != TW_OK) throw CallError{KindOf(status), tw_last_error()};
}

int Fail(const CallError& error) noexcept {
  TVMFFIErrorSetRaisedFromCStr(error.kind, error.message.c_str());
  return -1;
}

}  // namespace tilewright::ffi
