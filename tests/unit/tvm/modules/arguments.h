/* SPDX-FileCopyrightText: tilewright contributors */
/* SPDX-License-Identifier: Apache-2.0 */
/* What a module compiled by TVM does with its arguments, in C: the same calling convention, the
 * same references to the runtime's symbols. */

#ifndef TILEWRIGHT_TESTS_TVM_ARGUMENTS_H_
#define TILEWRIGHT_TESTS_TVM_ARGUMENTS_H_

#include <stddef.h>

#include <tvm/ffi/c_api.h>

#define MODULE_FUNCTION(name)                                  \
  __attribute__((visibility("default"))) int __tvm_ffi_##name( \
      void* self, const TVMFFIAny* arguments, int32_t count, TVMFFIAny* result)

static inline int Fail(const char* kind, const char* function, const char* problem) {
  const char* parts[] = {"in `", function, NULL, "`: ", problem};
  TVMFFIErrorSetRaisedFromCStrParts(kind, parts, 5);
  return -1;
}

/* The tensor of an argument, or null. */
static inline DLTensor* TensorOf(const TVMFFIAny* argument) {
  if (argument->type_index == kTVMFFIDLTensorPtr) return (DLTensor*)argument->v_ptr;
  if (argument->type_index == kTVMFFITensor) {
    return (DLTensor*)((char*)argument->v_obj + sizeof(TVMFFIObject));
  }
  return NULL;
}

static inline float* FloatsOf(const DLTensor* tensor) {
  return (float*)((char*)tensor->data + tensor->byte_offset);
}

#endif /* TILEWRIGHT_TESTS_TVM_ARGUMENTS_H_ */
