/* SPDX-FileCopyrightText: tilewright contributors */
/* SPDX-License-Identifier: Apache-2.0 */

#include "tests/unit/tvm/modules/arguments.h"

/* vector_add(a, b, out) */
MODULE_FUNCTION(vector_add) {
  (void)self;
  if (count != 3) return Fail("TypeError", "vector_add", "expected 3 arguments");
  const DLTensor* a = TensorOf(&arguments[0]);
  const DLTensor* b = TensorOf(&arguments[1]);
  const DLTensor* out = TensorOf(&arguments[2]);
  if (a == NULL || b == NULL || out == NULL) return Fail("TypeError", "vector_add", "no tensor");
  if (a->ndim != 1 || b->shape[0] != a->shape[0] || out->shape[0] != a->shape[0]) {
    return Fail("ValueError", "vector_add", "mismatched shape");
  }
  for (int64_t i = 0; i < a->shape[0]; ++i) FloatsOf(out)[i] = FloatsOf(a)[i] + FloatsOf(b)[i];
  result->type_index = kTVMFFINone;
  return 0;
}

/* echo(value) -> value */
MODULE_FUNCTION(echo) {
  (void)self;
  (void)count;
  if (arguments[0].type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(arguments[0].v_obj);
  *result = arguments[0];
  return 0;
}

/* mark(a, b): a[0] = 1, b[1] = 2 */
MODULE_FUNCTION(mark) {
  (void)self;
  (void)count;
  FloatsOf(TensorOf(&arguments[0]))[0] = 1;
  FloatsOf(TensorOf(&arguments[1]))[1] = 2;
  result->type_index = kTVMFFINone;
  return 0;
}

/* address(tensor) -> where its data is */
MODULE_FUNCTION(address) {
  (void)self;
  (void)count;
  result->type_index = kTVMFFIInt;
  result->v_int64 = (int64_t)FloatsOf(TensorOf(&arguments[0]));
  return 0;
}

/* fail(kind): fails through the other of the two functions that set an error. */
MODULE_FUNCTION(fail) {
  (void)self;
  (void)count;
  (void)result;
  TVMFFIErrorSetRaisedFromCStr(arguments[0].type_index == kTVMFFIInt ? "KeyError" : "RuntimeError",
                               "as asked");
  return -1;
}
