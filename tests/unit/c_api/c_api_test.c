// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Standard C, without extensions: the header promises that it suffices.

#include "tilewright/c_api.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                   \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, tw_last_error()); \
      ++failures;                                                                           \
    }                                                                                       \
  } while (0)

enum { kSize = 8, kAlignment = 64 };

// Of floats on the CPU.
static DLTensor Tensor(float* data, int64_t* shape, int32_t rank) {
  DLTensor tensor = {0};
  tensor.data = data;
  tensor.device.device_type = kDLCPU;
  tensor.ndim = rank;
  tensor.dtype.code = kDLFloat;
  tensor.dtype.bits = 32;
  tensor.dtype.lanes = 1;
  tensor.shape = shape;
  return tensor;
}

static TwTvmValue Borrowed(DLTensor* tensor) {
  TwTvmValue value = {0};
  value.kind = TW_TVM_TENSOR;
  value.as_tensor = tensor;
  return value;
}

static int dropped = 0;

static void Drop(DLManagedTensorVersioned* self) {
  (void)self;
  ++dropped;
}

static void TestRmsNorm(void) {
  float x[kSize], weight[kSize], out[kSize];
  int64_t matrix[] = {1, kSize}, row[] = {kSize};
  for (int i = 0; i < kSize; ++i) {
    x[i] = 2;
    weight[i] = (float)i;
  }
  DLTensor x_view = Tensor(x, matrix, 2), weight_view = Tensor(weight, row, 1);
  DLTensor out_view = Tensor(out, matrix, 2);
  EXPECT(tw_rms_norm(&x_view, &weight_view, 0, &out_view, NULL) == TW_OK);
  for (int i = 0; i < kSize; ++i) EXPECT(fabsf(out[i] - (float)i) < 1e-5f);
  EXPECT(tw_rms_norm(NULL, &weight_view, 0, &out_view, NULL) == TW_INVALID_ARGUMENT);
  EXPECT(strstr(tw_last_error(), "rms_norm") != NULL);
}

// vector_add on tensors of the caller's that lie `offset` floats after an aligned address.
static void TestBorrowedTensors(TwTvmFunction* add, int offset) {
  static _Alignas(kAlignment) float memory[3][4 * kSize];
  int64_t shape[] = {kSize};
  DLTensor tensors[3];
  TwTvmValue arguments[3], result = {0};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4 * kSize; ++i) memory[k][i] = 1;
    tensors[k] = Tensor(memory[k] + offset, shape, 1);
    arguments[k] = Borrowed(&tensors[k]);
  }
  EXPECT(tw_tvm_function_call(add, arguments, 3, &result) == TW_OK);
  EXPECT(result.kind == TW_TVM_NONE);
  for (int i = 0; i < kSize; ++i) EXPECT(memory[2][offset + i] == 2);
  EXPECT(memory[2][offset + kSize] == 1);
}

// Refused, each of them, and never a crash.
static void TestBadArguments(TwTvmFunction* add, TwTvmFunction* echo) {
  float data[kSize] = {0};
  int64_t shape[] = {kSize};
  DLTensor tensor = Tensor(data, shape, 1);
  TwTvmValue item = Borrowed(&tensor), list = {0}, null = Borrowed(NULL), result = {0};
  list.kind = TW_TVM_LIST;
  list.as_list.data = &item;
  list.as_list.size = 1;
  EXPECT(tw_tvm_function_call(echo, &list, 1, &result) == TW_TVM);
  EXPECT(strstr(tw_last_error(), "borrowed tensor") != NULL);
  const int32_t kinds[] = {TW_TVM_TENSOR, TW_TVM_MANAGED_TENSOR, TW_TVM_FUNCTION, TW_TVM_MODULE};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
    null.kind = kinds[i];
    EXPECT(tw_tvm_function_call(echo, &null, 1, &result) == TW_TVM);
    EXPECT(strstr(tw_last_error(), "is null") != NULL);
  }
  EXPECT(tw_tvm_function_call(add, NULL, 1, &result) == TW_INVALID_ARGUMENT);
  EXPECT(tw_tvm_function_call(add, NULL, -1, &result) == TW_INVALID_ARGUMENT);

  DLManagedTensorVersioned managed = {0};
  managed.version.major = DLPACK_MAJOR_VERSION;
  managed.deleter = &Drop;
  managed.dl_tensor = tensor;
  item.kind = TW_TVM_MANAGED_TENSOR;
  item.as_managed_tensor = &managed;
  EXPECT(tw_tvm_function_call(NULL, &item, 1, &result) == TW_INVALID_ARGUMENT);
  EXPECT(dropped == 1);
  EXPECT(tw_tvm_function_call(echo, &list, 1, NULL) == TW_INVALID_ARGUMENT);
  EXPECT(dropped == 2);
}

static void TestSetRelease(void) {
  EXPECT(tw_set_release("1.2.3") == TW_OK);
  EXPECT(tw_set_release(NULL) == TW_INVALID_ARGUMENT);
  EXPECT(strcmp(tw_last_error(), "tw_set_release: `release` is null") == 0);
  EXPECT(tw_set_release("1.2.3; reboot") == TW_INVALID_ARGUMENT);
  EXPECT(strstr(tw_last_error(), "is no version: `1.2.3; reboot`\nhint: pass one such as") != NULL);
}

int main(void) {
  TestRmsNorm();
  TestSetRelease();

  TwTvmModule* module = NULL;
  TwTvmFunction* add = NULL;
  TwTvmFunction* echo = NULL;
  EXPECT(tw_tvm_load_module(getenv("TVM_MODULE"), &module) == TW_OK);
  EXPECT(tw_tvm_module_get_function(module, "vector_add", &add) == TW_OK);
  EXPECT(tw_tvm_module_get_function(module, "echo", &echo) == TW_OK);
  EXPECT(tw_tvm_module_get_function(module, NULL, &echo) == TW_INVALID_ARGUMENT);
  TestBorrowedTensors(add, 0);
  TestBorrowedTensors(add, 1);
  TestBadArguments(add, echo);
  tw_tvm_function_free(add);
  tw_tvm_function_free(echo);
  tw_tvm_module_free(module);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
