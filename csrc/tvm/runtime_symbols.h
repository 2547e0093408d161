// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a TVM-compiled module calls in its runtime by symbol. Most calls go through pointers that
// the loader fills in (`__TVMFFIFunctionCall` and its like, looked up in the module); the error
// path, and modules made with TVM's C code generator, refer to functions directly.
// libtilewright_tvm.so exports these under private names (see module_image.h), so that they neither
// take over the calls of a libtvm_ffi.so in the same process nor are taken over by it, whichever is
// loaded first.

#ifndef TILEWRIGHT_TVM_RUNTIME_SYMBOLS_H_
#define TILEWRIGHT_TVM_RUNTIME_SYMBOLS_H_

namespace tilewright::tvm {

// Makes this library's exports visible to libraries opened later. They consist of `tw_tvm_api` and
// the private names. Also keeps the library loaded for good: its thread pool must not lose its
// code. Throws std::runtime_error when the loader cannot find this library again.
void PublishRuntimeSymbols();

// Whether this library exports `private_name`. Call PublishRuntimeSymbols first.
bool ProvidesRuntimeSymbol(const char* private_name);

}  // namespace tilewright::tvm

#endif  // TILEWRIGHT_TVM_RUNTIME_SYMBOLS_H_
