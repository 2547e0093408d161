// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_TVM_MODULE_LIBRARY_H_
#define TILEWRIGHT_TVM_MODULE_LIBRARY_H_

#include <string>

#include <tvm/ffi/extra/module.h>

namespace tilewright::tvm {

// Loads a TVM-compiled shared library, bound to this runtime only: its file is opened as a private
// copy in which the runtime's symbols go by private names.
// Throws tvm::ffi::Error (kind `ImportError`) that names the file and what is wrong with it.
::tvm::ffi::Module LoadModuleLibrary(const std::string& path);

}  // namespace tilewright::tvm

#endif  // TILEWRIGHT_TVM_MODULE_LIBRARY_H_
