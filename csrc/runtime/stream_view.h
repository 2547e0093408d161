// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_STREAM_VIEW_H_
#define TILEWRIGHT_RUNTIME_STREAM_VIEW_H_

#include "tilewright/c_api.h"

namespace tilewright {

// Borrows the caller's cudaStream_t. Null is CUDA's default stream; ignored by CPU operators.
class StreamView {
 public:
  explicit StreamView(TwStream handle) : handle_(handle) {}

  void* handle() const { return handle_; }

 private:
  void* handle_;
};

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_STREAM_VIEW_H_
