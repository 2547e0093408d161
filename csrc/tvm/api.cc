// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one entry of libtilewright_tvm.so. No exception leaves it: what TVM throws becomes a status,
// with TVM's kind of error, message and traceback as the text.

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include <sys/stat.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/runtime/base.h>

#include "csrc/runtime/tvm_api.h"
#include "csrc/tvm/value.h"

#define TW_TEXT_OF(value) #value
#define TW_TEXT(value) TW_TEXT_OF(value)
#define TW_TVM_FFI_VERSION       \
  TW_TEXT(TVM_FFI_VERSION_MAJOR) \
  "." TW_TEXT(TVM_FFI_VERSION_MINOR) "." TW_TEXT(TVM_FFI_VERSION_PATCH)

namespace tilewright::tvm {
namespace {

thread_local std::string last_error;

TwStatus Fail(TwStatus status, const char* text) noexcept {
  try {
    last_error = text;
  } catch (...) {
    last_error.clear();
  }
  return status;
}

// "ValueError: the message", then the traceback if TVM recorded one.
std::string Describe(const ::tvm::ffi::Error& error) {
  std::string text = error.kind() + ": " + error.message();
  const std::string traceback = error.TracebackMostRecentCallLast();
  if (!traceback.empty()) text += "\nTVM traceback (most recent call last):\n" + traceback;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

struct InvalidArgument {
  std::string text;
};

template <class Body>
TwStatus Guard(Body&& body) noexcept {
  try {
    try {
      body();
      return TW_OK;
    } catch (const InvalidArgument& error) {
      return Fail(TW_INVALID_ARGUMENT, error.text.c_str());
    } catch (const ::tvm::ffi::Error& error) {
      return Fail(TW_TVM, Describe(error).c_str());
    } catch (const std::bad_alloc&) {
      return Fail(TW_OUT_OF_MEMORY, "out of host memory");
    } catch (const std::exception& error) {
      return Fail(TW_INTERNAL, error.what());
    } catch (...) {
      return Fail(TW_INTERNAL, "unknown exception");
    }
  } catch (...) {  // describing the error failed
    return Fail(TW_OUT_OF_MEMORY, "out of host memory");
  }
}

void RequireArgument(const void* argument, const char* name) {
  if (argument == nullptr) throw InvalidArgument{std::string("`") + name + "` is null"};
}

const char* LastError() { return last_error.c_str(); }

TwStatus LoadModule(const char* path, TwTvmModule** out) {
  return Guard([&] {
    RequireArgument(path, "path");
    RequireArgument(out, "out");
    struct stat status {};
    if (stat(path, &status) != 0) {
      throw InvalidArgument{std::string("cannot load `") + path + "`: " + std::strerror(errno)};
    }
    if (!S_ISREG(status.st_mode)) {
      throw InvalidArgument{std::string("cannot load `") + path + "`: not a file"};
    }
    *out = ReleaseHandle(::tvm::ffi::Module::LoadFromFile(path));
  });
}

TwStatus ModuleGetFunction(TwTvmModule* module, const char* name, TwTvmFunction** out) {
  return Guard([&] {
    RequireArgument(module, "module");
    RequireArgument(name, "name");
    RequireArgument(out, "out");
    auto function = Borrow(module)->GetFunction(name, /*query_imports=*/true);
    if (!function.has_value()) {
      throw InvalidArgument{std::string("the module has no function `") + name + "`"};
    }
    *out = ReleaseHandle(*std::move(function));
  });
}

TwStatus GetGlobalFunction(const char* name, TwTvmFunction** out) {
  return Guard([&] {
    RequireArgument(name, "name");
    RequireArgument(out, "out");
    auto function = ::tvm::ffi::Function::GetGlobal(name);
    if (!function.has_value()) {
      throw InvalidArgument{std::string("TVM's registry has no function `") + name + "`"};
    }
    *out = ReleaseHandle(*std::move(function));
  });
}

TwStatus FunctionCall(TwTvmFunction* function, const TwTvmValue* values, int32_t count,
                      TwTvmValue* result) {
  return Guard([&] {
    // First of all: whatever happens, the managed tensors are the call's.
    const Arguments arguments(values, count);
    RequireArgument(function, "function");
    RequireArgument(result, "result");
    ::tvm::ffi::Any returned;
    Borrow(function).CallPacked(arguments.data(), arguments.size(), &returned);
    arguments.WriteBack();
    *result = ToValue(returned);
  });
}

void ModuleFree(TwTvmModule* module) { FreeHandle(module); }

void FunctionFree(TwTvmFunction* function) { FreeHandle(function); }

void ValueFree(TwTvmValue* value) {
  if (value != nullptr) FreeValue(value);
}

constexpr TwTvmApi kApi = {
    TW_TVM_API_VERSION, sizeof(TwTvmApi), TVM_VERSION " (tvm-ffi " TW_TVM_FFI_VERSION ")",
    LastError,          LoadModule,       ModuleGetFunction,
    GetGlobalFunction,  FunctionCall,     ModuleFree,
    FunctionFree,       ValueFree,
};

}  // namespace
}  // namespace tilewright::tvm

extern "C" const TwTvmApi* tw_tvm_api(uint32_t version) {
  return version == TW_TVM_API_VERSION ? &tilewright::tvm::kApi : nullptr;
}
