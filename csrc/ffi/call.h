// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// A function in tvm-ffi's calling convention: arguments in an array of TVMFFIAny, 0 or -1 returned,
// an error left with TVMFFIErrorSetRaisedFromCStr. Uses tvm-ffi's C ABI and nothing of its C++ API,
// which changes between its patch releases.

#ifndef TILEWRIGHT_FFI_CALL_H_
#define TILEWRIGHT_FFI_CALL_H_

#include <cstdint>
#include <string>

#include <tvm/ffi/c_api.h>

#include "tilewright/c_api.h"  // after tvm-ffi's header, which brings its own dlpack.h

namespace tilewright::ffi {

// An error for the caller. `kind` is the name of a Python exception that tvm-ffi knows.
struct CallError {
  const char* kind;
  std::string message;
};

// The arguments of one call of `signature`, such as "silu_and_mul(x, out)".
class Call {
 public:
  Call(const char* signature, const TVMFFIAny* arguments, int32_t count)
      : signature_(signature), arguments_(arguments), count_(count) {}

  // Throws CallError (`TypeError`) unless there are `expected` arguments.
  void RequireCount(int32_t expected) const;

  // The tensor at `index`: a tensor object or a borrowed DLTensor. Throws CallError (`TypeError`).
  DLTensor* Tensor(int32_t index) const;

  // The number at `index`, a float or an int. Throws CallError (`TypeError`).
  double Number(int32_t index) const;

  // The stream that tvm-ffi has current for the tensor's device; null on the CPU.
  static TwStream Stream(const DLTensor& tensor);

 private:
  [[noreturn]] void ThrowType(int32_t index, const char* expected) const;

  const char* signature_;
  const TVMFFIAny* arguments_;
  int32_t count_;
};

// Throws the CallError that stands for a status other than TW_OK, with tilewright's message.
void Check(TwStatus status);

// Leaves an error with tvm-ffi and returns -1.
int Fail(const CallError& error) noexcept;

// Runs `body` as a function of `count` arguments that returns nothing.
template <class Body>
int Run(const Call& call, int32_t count, TVMFFIAny* result, Body&& body) noexcept {
  try {
    call.RequireCount(count);
    body();
    result->type_index = kTVMFFINone;
    result->zero_padding = 0;
    result->v_int64 = 0;
    return 0;
  } catch (const CallError& error) {
    return Fail(error);
  } catch (...) {
    TVMFFIErrorSetRaisedFromCStr("MemoryError", "tilewright: out of host memory");
    return -1;
  }
}

}  // namespace tilewright::ffi

#endif  // TILEWRIGHT_FFI_CALL_H_
