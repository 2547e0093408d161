// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of a kernel launch.

#ifndef TILEWRIGHT_DEVICE_LAUNCH_CUH_
#define TILEWRIGHT_DEVICE_LAUNCH_CUH_

#include <cstdint>
#include <cuda_runtime.h>

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

// Whether kernels may overlap as overlap.cuh says: compute capability 9.0, and a driver that can
// also capture such launches into a graph (CUDA 12.3).
inline bool CanOverlapKernels(int device) {
  constexpr int kFirstDriver = 12030;
  constexpr int kFirstMajor = 9;
  int driver = 0;
  int major = 0;
  return cudaDriverGetVersion(&driver) == cudaSuccess && driver >= kFirstDriver &&
         cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
         major >= kFirstMajor;
}

constexpr int64_t kMaxBlocks = 0x7fffffff;

// Launches `kernel` with one parameter on the current device, which is `device`. The kernel calls
// WaitForPreviousKernel. Returns the launch's own error, not one that another kernel left behind,
// and cudaErrorInvalidConfiguration for more than kMaxBlocks; never waits, so it can be captured
// into a graph.
template <class Params>
cudaError_t Launch(void (*kernel)(Params), int64_t blocks, dim3 threads, int device, void* stream,
                   const Params& params) {
  if (blocks > kMaxBlocks) return cudaErrorInvalidConfiguration;
  cudaLaunchAttribute overlap = {};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = threads;
  config.stream = static_cast<cudaStream_t>(stream);
  config.attrs = &overlap;
  config.numAttrs = CanOverlapKernels(device) ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, params);
}

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_LAUNCH_CUH_
