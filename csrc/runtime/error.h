// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one exception type inside libtilewright.so, and the guard that turns exceptions into a status
// at the C API: each shared library has its own C++ runtime, so none may cross an edge.

#ifndef TILEWRIGHT_RUNTIME_ERROR_H_
#define TILEWRIGHT_RUNTIME_ERROR_H_

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "tilewright/c_api.h"

namespace tilewright {

class Error : public std::exception {
 public:
  Error(TwStatus status, std::string message) : status_(status), message_(std::move(message)) {}

  TwStatus status() const noexcept { return status_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  TwStatus status_;
  std::string message_;
};

// Sets the message of tw_last_error() for this thread, and returns `status`. Does not throw: a
// message that cannot be stored is replaced by a shorter one.
TwStatus SetLastError(TwStatus status, std::string_view message) noexcept;
const char* LastError() noexcept;

// Runs `body`; returns TW_OK, or the status of what it threw with the message set.
template <class Body>
TwStatus Guard(Body&& body) noexcept {
  try {
    body();
    return TW_OK;
  } catch (const Error& error) {
    return SetLastError(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return SetLastError(TW_OUT_OF_MEMORY, "out of host memory");
  } catch (const std::exception& error) {
    return SetLastError(TW_INTERNAL, error.what());
  } catch (...) {
    return SetLastError(TW_INTERNAL, "unknown exception");
  }
}

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_ERROR_H_
