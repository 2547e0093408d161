// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_TVM_LIBRARY_H_
#define TILEWRIGHT_RUNTIME_LOADING_TVM_LIBRARY_H_

#include "csrc/runtime/tvm_api.h"

namespace tilewright {

// The functions of libtilewright_tvm.so, which is opened at the first call and never closed. Throws
// Error (TW_LIBRARY_NOT_FOUND, with every path tried), and tries again at the next call, when that
// fails. May be called from any thread.
const TwTvmApi& GetTvmApi();

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_TVM_LIBRARY_H_
