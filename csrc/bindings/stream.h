// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_BINDINGS_STREAM_H_
#define TILEWRIGHT_BINDINGS_STREAM_H_

#include <cstdint>

#include "tilewright/c_api.h"

namespace tilewright::bindings {

// A cudaStream_t, which Python libraries hand out as an integer.
inline TwStream AsStream(std::uintptr_t stream) {
  return reinterpret_cast<TwStream>(stream);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_STREAM_H_
