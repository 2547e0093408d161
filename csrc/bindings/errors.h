// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Status to Python exception: the only place where tilewright's exceptions are raised from C++.

#ifndef TILEWRIGHT_BINDINGS_ERRORS_H_
#define TILEWRIGHT_BINDINGS_ERRORS_H_

#include <string>

#include <pybind11/pybind11.h>

#include "csrc/bindings/gil.h"
#include "tilewright/c_api.h"

namespace tilewright::bindings {

// Throws the class of `tilewright.errors` that stands for `status`, which is not TW_OK. Needs the
// GIL.
[[noreturn]] void Raise(TwStatus status, const std::string& message);

// Raises, with the message of the C API's last failure on this thread, unless `status` is TW_OK.
// Needs the GIL.
void Check(TwStatus status);

// Calls the C API without the GIL, then does as `Check`. `call` touches no Python object and does
// not throw. Does not return when the interpreter has ended meanwhile.
template <class Call>
void CheckWithoutGil(Call&& call) {
  PyThreadState* const state = PyEval_SaveThread();
  const TwStatus status = call();
  tw_restore_thread(state);
  Check(status);
}

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_ERRORS_H_
