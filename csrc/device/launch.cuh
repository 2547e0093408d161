// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of a kernel launch.

#ifndef TILEWRIGHT_DEVICE_LAUNCH_CUH_
#define TILEWRIGHT_DEVICE_LAUNCH_CUH_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace tilewright {
namespace device {

// Makes `device` current for the calling thread, and restores the one before.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    status_ = cudaGetDevice(&before_);
    if (status_ == cudaSuccess && before_ != device) {
      status_ = cudaSetDevice(device);
      changed_ = status_ == cudaSuccess;
    }
  }
  ~DeviceGuard() {
    if (changed_) cudaSetDevice(before_);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

  cudaError_t status() const { return status_; }

 private:
  int before_ = 0;
  bool changed_ = false;
  cudaError_t status_ = cudaSuccess;
};

constexpr int64_t CeilDivide(int64_t value, int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

// The smallest power of two that is not less than `value` >= 1.
constexpr int PowerOfTwoFrom(int64_t value) {
  int power = 1;
  while (power < value) power *= 2;
  return power;
}

inline bool IsAligned(const void* address, int64_t bytes) {
  return reinterpret_cast<uintptr_t>(address) % bytes == 0;
}

// Launches `kernel` with one parameter. Returns the launch's own error, not one that another kernel
// left behind; never waits, so it can be captured into a graph. `blocks` past CUDA's limit are cut
// off: kernels walk their work in steps of the grid.
template <class Params>
cudaError_t Launch(void (*kernel)(Params), int64_t blocks, dim3 threads, void* stream,
                   const Params& params) {
  constexpr int64_t kMaxBlocks = 0x7fffffff;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(std::min(blocks, kMaxBlocks)));
  config.blockDim = threads;
  config.stream = static_cast<cudaStream_t>(stream);
  return cudaLaunchKernelEx(&config, kernel, params);
}

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_LAUNCH_CUH_
