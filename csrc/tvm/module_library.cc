// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/tvm/module_library.h"

#include <dlfcn.h>
#include <stdexcept>

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include "csrc/tvm/module_image.h"
#include "csrc/tvm/private_copy.h"
#include "csrc/tvm/runtime_symbols.h"
#include "src/ffi/extra/module_internal.h"  // Library, CreateLibraryModule

namespace tilewright::tvm {
namespace {

[[noreturn]] void ThrowImportError(const std::string& path, const std::string& reason) {
  throw ::tvm::ffi::Error("ImportError", "cannot load `" + path + "`: " + reason, "");
}

std::string JoinQuoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

class ModuleLibrary final : public ::tvm::ffi::Library {
 public:
  explicit ModuleLibrary(const std::string& path) {
    try {
      PublishRuntimeSymbols();
      PrivateCopy copy(path);
      const Redirection redirection =
          RedirectRuntimeSymbols(copy.bytes(), copy.size(), ProvidesRuntimeSymbol);
      if (!redirection.unknown.empty()) {
        ThrowImportError(path, "it refers to " + JoinQuoted(redirection.unknown) +
                                   ", which this TVM runtime does not provide\nhint: compile it "
                                   "with a TVM of the version that this runtime has");
      }
      Open(path, copy.path());
    } catch (const std::invalid_argument& error) {
      ThrowImportError(path, error.what());
    } catch (const std::runtime_error& error) {  // std::system_error too
      ThrowImportError(path, error.what());
    }
  }

  ~ModuleLibrary() override {
    if (handle_ != nullptr) dlclose(handle_);
  }

  void* GetSymbol(const ::tvm::ffi::String& name) override { return dlsym(handle_, name.c_str()); }

 private:
  void Open(const std::string& path, const std::string& copy_path) {
    handle_ = dlopen(copy_path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    const char* text = dlerror();
    std::string reason = text != nullptr ? text : "the dynamic loader gives no reason";
    // The loader knows the file by the copy's path, which tells the user nothing.
    if (reason.rfind(copy_path + ": ", 0) == 0) reason.erase(0, copy_path.size() + 2);
    ThrowImportError(path, reason);
  }

  void* handle_ = nullptr;
};

// In place of tvm-ffi's library_module_dynamic_lib.cc, which is not built.
TVM_FFI_STATIC_INIT_BLOCK() {
  ::tvm::ffi::reflection::GlobalDef().def(
      "ffi.Module.load_from_file.so",
      [](const ::tvm::ffi::String& path, const ::tvm::ffi::String&) {
        return LoadModuleLibrary(path);
      });
}

}  // namespace

::tvm::ffi::Module LoadModuleLibrary(const std::string& path) {
  return ::tvm::ffi::CreateLibraryModule(::tvm::ffi::make_object<ModuleLibrary>(path));
}

}  // namespace tilewright::tvm
