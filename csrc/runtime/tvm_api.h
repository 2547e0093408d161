// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The seam between libtilewright.so and libtilewright_tvm.so. The latter exports one C function,
// `tw_tvm_api`, that hands out a table of C functions; the former forwards the tw_tvm_* functions
// of c_api.h to it. Both are built from one source tree and shipped together, so a version that
// does not match means a broken installation.

#ifndef TILEWRIGHT_RUNTIME_TVM_API_H_
#define TILEWRIGHT_RUNTIME_TVM_API_H_

#include <stddef.h>
#include <stdint.h>

#include "tilewright/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TW_TVM_API_VERSION 1u
#define TW_TVM_API_SYMBOL "tw_tvm_api"

// Contracts are those of the functions of the same name in c_api.h. A function that fails leaves
// its message, without the operation's name, in that library's own thread-local storage:
// `last_error`.
typedef struct TwTvmApi {
  uint32_t version;         // TW_TVM_API_VERSION of the library
  uint32_t size;            // sizeof(TwTvmApi) of the library
  const char* tvm_version;  // for people, such as "0.25.dev0 (tvm-ffi 0.1.11)"
  const char* (*last_error)(void);
  TwStatus (*load_module)(const char* path, TwTvmModule** out);
  TwStatus (*module_get_function)(TwTvmModule* module, const char* name, TwTvmFunction** out);
  TwStatus (*get_global_function)(const char* name, TwTvmFunction** out);
  TwStatus (*function_call)(TwTvmFunction* function, const TwTvmValue* arguments, int32_t count,
                            TwTvmValue* result);
  void (*module_free)(TwTvmModule* module);
  void (*function_free)(TwTvmFunction* function);
  void (*value_free)(TwTvmValue* value);
} TwTvmApi;

// The table for `version`, valid for the life of the process; null when the library does not
// implement that version.
typedef const TwTvmApi* (*TwTvmApiFunction)(uint32_t version);
TW_API const TwTvmApi* tw_tvm_api(uint32_t version);

// Calls the deleters of the managed tensors among `values` and in their lists: a call that fails
// before it has taken them over owns them all the same.
static inline void tw_tvm_drop_tensors(const TwTvmValue* values, size_t count) {
  if (!values) return;
  for (size_t i = 0; i < count; ++i) {
    const TwTvmValue* value = &values[i];
    if (value->kind == TW_TVM_LIST) {
      tw_tvm_drop_tensors(value->as_list.data, value->as_list.size);
    } else if (value->kind == TW_TVM_MANAGED_TENSOR) {
      DLManagedTensorVersioned* tensor = value->as_managed_tensor;
      if (tensor && tensor->deleter) tensor->deleter(tensor);
    }
  }
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TILEWRIGHT_RUNTIME_TVM_API_H_
