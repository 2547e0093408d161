// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The operators as functions of a tvm-ffi module: `tvm_ffi.load_module(path).rms_norm(...)`. Names,
// order of arguments and contracts are those of tilewright/c_api.h, without the stream, which is
// the one that tvm-ffi has current for the device. None is a result: outputs are arguments.

#include "csrc/ffi/call.h"

using tilewright::ffi::Call;
using tilewright::ffi::Check;
using tilewright::ffi::Run;

#define TW_FFI_EXPORT extern "C" __attribute__((visibility("default")))

TW_FFI_EXPORT int __tvm_ffi_rms_norm(void* /*handle*/, const TVMFFIAny* arguments, int32_t count,
                                     TVMFFIAny* result) {
  const Call call("rms_norm(x, weight, eps, out)", arguments, count);
  return Run(call, 4, result, [&] {
    const DLTensor* x = call.Tensor(0);
    Check(tw_rms_norm(x, call.Tensor(1), call.Number(2), call.Tensor(3), Call::Stream(*x)));
  });
}

TW_FFI_EXPORT int __tvm_ffi_add_rms_norm(void* /*handle*/, const TVMFFIAny* arguments,
                                         int32_t count, TVMFFIAny* result) {
  const Call call("add_rms_norm(x, residual, weight, eps)", arguments, count);
  return Run(call, 4, result, [&] {
    DLTensor* x = call.Tensor(0);
    Check(tw_add_rms_norm(x, call.Tensor(1), call.Tensor(2), call.Number(3), Call::Stream(*x)));
  });
}

TW_FFI_EXPORT int __tvm_ffi_silu_and_mul(void* /*handle*/, const TVMFFIAny* arguments,
                                         int32_t count, TVMFFIAny* result) {
  const Call call("silu_and_mul(x, out)", arguments, count);
  return Run(call, 2, result, [&] {
    const DLTensor* x = call.Tensor(0);
    Check(tw_silu_and_mul(x, call.Tensor(1), Call::Stream(*x)));
  });
}
