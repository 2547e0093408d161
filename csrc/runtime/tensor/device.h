// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_TENSOR_DEVICE_H_
#define TILEWRIGHT_RUNTIME_TENSOR_DEVICE_H_

#include <cstdint>
#include <string>

#include "tilewright/dlpack.h"

namespace tilewright {

// Where an operator runs. Pinned host memory counts as the CPU, managed memory as its CUDA device.
struct Device {
  enum class Kind : int32_t { kCpu, kCuda };

  Kind kind;
  int32_t index;  // 0 for the CPU

  bool is_cuda() const { return kind == Kind::kCuda; }

  friend bool operator==(Device a, Device b) { return a.kind == b.kind && a.index == b.index; }
  friend bool operator!=(Device a, Device b) { return !(a == b); }
};

// "cpu", "cuda:1", or DLPack's name for a device that tilewright does not run on.
std::string DeviceName(DLDevice device);

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_TENSOR_DEVICE_H_
