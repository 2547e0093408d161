// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The tw_tvm_* functions: checked here, done in libtilewright_tvm.so.

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
  return Guard([&] {
    TW_CHECK(path != nullptr && out != nullptr, TW_INVALID_ARGUMENT,
             "load_module: `path` or `out` is null");
    CheckTvm("load_module", GetTvmApi().load_module(path, out));
  });
}

TwStatus tw_tvm_module_get_function(TwTvmModule* module, const char* name, TwTvmFunction** out) {
  return Guard([&] {
    TW_CHECK(module != nullptr && name != nullptr && out != nullptr, TW_INVALID_ARGUMENT,
             "get_function: `module`, `name` or `out` is null");
    CheckTvm("get_function", GetTvmApi().module_get_function(module, name, out));
  });
}

TwStatus tw_tvm_get_global_function(const char* name, TwTvmFunction** out) {
  return Guard([&] {
    TW_CHECK(name != nullptr && out != nullptr, TW_INVALID_ARGUMENT,
             "get_global_function: `name` or `out` is null");
    CheckTvm("get_global_function", GetTvmApi().get_global_function(name, out));
  });
}

TwStatus tw_tvm_function_call(TwTvmFunction* function, const TwTvmValue* arguments, int32_t count,
                              TwTvmValue* result) {
  return Guard([&] {
    TW_CHECK(function != nullptr && result != nullptr, TW_INVALID_ARGUMENT,
             "call: `function` or `result` is null");
    TW_CHECK(count >= 0 && (count == 0 || arguments != nullptr), TW_INVALID_ARGUMENT,
             "call: no arguments, count ", count);
    CheckTvm("call", GetTvmApi().function_call(function, arguments, count, result));
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
