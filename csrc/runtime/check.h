// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The checks. A message says what happened and where, with the values, names in backticks; what to
// do next goes on a line of its own that starts with "hint: ".

#ifndef TILEWRIGHT_RUNTIME_CHECK_H_
#define TILEWRIGHT_RUNTIME_CHECK_H_

#include "csrc/runtime/error.h"
#include "csrc/runtime/message.h"

// The caller's mistake, or something not supported: throws Error(status, pieces of the message).
#define TW_CHECK(condition, status, ...)                                      \
  do {                                                                        \
    if (__builtin_expect(!(condition), 0)) {                                  \
      throw ::tilewright::Error((status), ::tilewright::Concat(__VA_ARGS__)); \
    }                                                                         \
  } while (false)

// A call that returns a cudaError_t as int. `library` is the CudaLibrary it went to, `operation`
// what was being done, for the message.
#define TW_CHECK_CUDA(library, operation, call)             \
  do {                                                      \
    const int tw_check_code = (call);                       \
    if (__builtin_expect(tw_check_code != 0, 0)) {          \
      (library).ThrowCudaError((operation), tw_check_code); \
    }                                                       \
  } while (false)

// A state that only a bug in tilewright can reach.
#define TW_UNREACHABLE(...)                                                                      \
  throw ::tilewright::Error(                                                                     \
      TW_INTERNAL, ::tilewright::Concat(__FILE__, ":", __LINE__, ": unreachable: ", __VA_ARGS__, \
                                        "\nhint: this is a bug in tilewright, please report it"))

#endif  // TILEWRIGHT_RUNTIME_CHECK_H_
