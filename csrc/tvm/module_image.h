// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_TVM_MODULE_IMAGE_H_
#define TILEWRIGHT_TVM_MODULE_IMAGE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::tvm {

// The runtime's symbols go by a private name: the public one without its first letter, so
// `TVMFFIFunctionCall` becomes `VMFFIFunctionCall`. In an ELF string table every tail of a string
// is a string, so a symbol is renamed by moving its name's offset by one, in place.
inline constexpr size_t kPrivateNameOffset = 1;

// What RedirectRuntimeSymbols did to an image.
struct Redirection {
  std::vector<std::string> redirected;  // public names that now refer to the private ones
  std::vector<std::string> unknown;     // public names the private runtime does not provide
};

// Throws std::invalid_argument, saying what is wrong, unless a file of which these are the first
// bytes is a shared library for x86-64. `size` may be less than an ELF header's.
void RequireSharedLibrary(const char* bytes, size_t size);

// Rewrites, in the bytes of an x86-64 shared library, each undefined symbol `TVM*` that the library
// refers to so that it refers to the private name instead, where `provides(private name)` holds.
// Nothing else changes: neither the file's size nor a symbol that the library defines.
// Throws std::invalid_argument, saying what is wrong, for anything but a well-formed shared
// library.
Redirection RedirectRuntimeSymbols(char* bytes, size_t size,
                                   const std::function<bool(const char*)>& provides);

}  // namespace tilewright::tvm

#endif  // TILEWRIGHT_TVM_MODULE_IMAGE_H_
