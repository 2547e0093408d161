// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/tvm/runtime_symbols.h"

#include <dlfcn.h>
#include <stdexcept>
#include <string>

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/runtime/c_backend_api.h>

#define TW_PRIVATE extern "C" __attribute__((visibility("default")))

TW_PRIVATE int VMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* arguments, int32_t count,
                                 TVMFFIAny* result) {
  return TVMFFIFunctionCall(function, arguments, count, result);
}

TW_PRIVATE void VMFFIErrorSetRaised(TVMFFIObjectHandle error) { TVMFFIErrorSetRaised(error); }

TW_PRIVATE void VMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
}

TW_PRIVATE void VMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts,
                                                 int32_t count) {
  TVMFFIErrorSetRaisedFromCStrParts(kind, parts, count);
}

TW_PRIVATE void VMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  TVMFFIErrorMoveFromRaised(result);
}

TW_PRIVATE int VMFFIObjectIncRef(TVMFFIObjectHandle object) { return TVMFFIObjectIncRef(object); }

TW_PRIVATE int VMFFIObjectDecRef(TVMFFIObjectHandle object) { return TVMFFIObjectDecRef(object); }

TW_PRIVATE int VMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  return TVMFFIFunctionGetGlobal(name, out);
}

TW_PRIVATE int VMFFIEnvModLookupFromImports(TVMFFIObjectHandle module, const char* name,
                                            TVMFFIObjectHandle* out) {
  return TVMFFIEnvModLookupFromImports(module, name, out);
}

TW_PRIVATE TVMFFIStreamHandle VMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  return TVMFFIEnvGetStream(device_type, device_id);
}

TW_PRIVATE int VMBackendGetFuncFromEnv(void* module, const char* name, TVMFFIObjectHandle* out) {
  return TVMBackendGetFuncFromEnv(module, name, out);
}

TW_PRIVATE void* VMBackendAllocWorkspace(int device_type, int device_id, uint64_t bytes,
                                         int dtype_code, int dtype_bits) {
  return TVMBackendAllocWorkspace(device_type, device_id, bytes, dtype_code, dtype_bits);
}

TW_PRIVATE int VMBackendFreeWorkspace(int device_type, int device_id, void* workspace) {
  return TVMBackendFreeWorkspace(device_type, device_id, workspace);
}

TW_PRIVATE int VMBackendParallelLaunch(FTVMParallelLambda body, void* closure, int tasks) {
  return TVMBackendParallelLaunch(body, closure, tasks);
}

TW_PRIVATE int VMBackendParallelBarrier(int task, TVMParallelGroupEnv* group) {
  return TVMBackendParallelBarrier(task, group);
}

TW_PRIVATE int VMBackendRunOnce(void** handle, int (*body)(void*), void* closure, int bytes) {
  return TVMBackendRunOnce(handle, body, closure, bytes);
}

namespace tilewright::tvm {
namespace {

void* OpenSelf() {
  Dl_info info{};
  // Any function of this library will do.
  if (dladdr(reinterpret_cast<void*>(&VMFFIErrorSetRaised), &info) == 0) {
    throw std::runtime_error("the loader does not know `libtilewright_tvm.so`");
  }
  void* self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL | RTLD_NODELETE);
  if (self == nullptr) {
    const char* reason = dlerror();
    throw std::runtime_error(std::string("cannot reopen `") + info.dli_fname +
                             "`: " + (reason != nullptr ? reason : "not loaded"));
  }
  return self;
}

void* Self() {
  static void* const self = OpenSelf();
  return self;
}

}  // namespace

void PublishRuntimeSymbols() { Self(); }

bool ProvidesRuntimeSymbol(const char* private_name) {
  return dlsym(Self(), private_name) != nullptr;
}

}  // namespace tilewright::tvm
