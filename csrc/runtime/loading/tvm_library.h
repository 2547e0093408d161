// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_TVM_LIBRARY_H_
#define TILEWRIGHT_RUNTIME_LOADING_TVM_LIBRARY_H_

#include <string>
#include <vector>

#include "csrc/runtime/loading/dynamic_library.h"
#include "csrc/runtime/tvm_api.h"

namespace tilewright {

// The functions of libtilewright_tvm.so, which is opened at the first call and never closed. Throws
// Error (TW_LIBRARY_NOT_FOUND, with every path tried), and tries again at the next call, when that
// fails. May be called from any thread.
const TwTvmApi& GetTvmApi();

// The state of the library, for tw_tvm_report().
struct TvmLoadState {
  const TwTvmApi* api = nullptr;  // null until a load succeeded
  std::string path;               // "" until then
  std::vector<Attempt> attempts;  // of the last load, or where the first would look
  std::string error;              // of the last load that failed; "" once one succeeded
};

// The state now. Opens nothing.
TvmLoadState QueryTvmLoadState();

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_TVM_LIBRARY_H_
