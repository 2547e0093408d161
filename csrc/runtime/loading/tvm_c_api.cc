// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tw_tvm_* functions: done, and their arguments checked, in libtilewright_tvm.so.

#include "csrc/runtime/check.h"
#include "csrc/runtime/loading/tvm_library.h"

namespace {

using tilewright::GetTvmApi;
using tilewright::Guard;

// Throws what the TVM library reports, its message under the name of the operation.
void CheckTvm(const char* operation, TwStatus status) {
  TW_CHECK(status == TW_OK, status, operation, ": ", GetTvmApi().last_error());
}

}  // namespace

extern "C" {

TwStatus tw_tvm_load_module(const char* path, TwTvmModule** out) {
  return Guard([&] { CheckTvm("load_module", GetTvmApi().load_module(path, out)); });
}

TwStatus tw_tvm_module_get_function(TwTvmModule* module, const char* name, TwTvmFunction** out) {
  return Guard(
      [&] { CheckTvm("get_function", GetTvmApi().module_get_function(module, name, out)); });
}

TwStatus tw_tvm_get_global_function(const char* name, TwTvmFunction** out) {
  return Guard(
      [&] { CheckTvm("get_global_function", GetTvmApi().get_global_function(name, out)); });
}

TwStatus tw_tvm_function_call(TwTvmFunction* function, const TwTvmValue* arguments, int32_t count,
                              TwTvmValue* result) {
  return Guard([&] {
    TW_CHECK(count >= 0 && (count == 0 || arguments != nullptr), TW_INVALID_ARGUMENT,
             "call: no arguments, count ", count);
    const TwTvmApi* tvm = nullptr;
    try {
      tvm = &GetTvmApi();
    } catch (...) {
      tw_tvm_drop_tensors(arguments, static_cast<size_t>(count));
      throw;
    }
    CheckTvm("call", tvm->function_call(function, arguments, count, result));
  });
}

// A handle can only come from the opened library, so these never open it.

void tw_tvm_module_free(TwTvmModule* module) {
  if (module != nullptr) Guard([&] { GetTvmApi().module_free(module); });
}

void tw_tvm_function_free(TwTvmFunction* function) {
  if (function != nullptr) Guard([&] { GetTvmApi().function_free(function); });
}

void tw_tvm_value_free(TwTvmValue* value) {
  if (value != nullptr && value->kind >= TW_TVM_STRING) {
    Guard([&] { GetTvmApi().value_free(value); });
  }
}

}  // extern "C"
