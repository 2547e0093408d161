// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of a kernel launch.

#ifndef TILEWRIGHT_DEVICE_LAUNCH_CUH_
#define TILEWRIGHT_DEVICE_LAUNCH_CUH_

#include <atomic>
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

// Runs `body`, which returns a cudaError_t, with `device` current. On failure leaves nothing in
// cudart's last error: PyTorch shares it and would take it for the next kernel's own.
template <class Body>
cudaError_t OnDevice(int device, Body body) {
  cudaError_t status;
  {
    const DeviceGuard guard(device);
    status = guard.status() == cudaSuccess ? body() : guard.status();
  }
  if (status != cudaSuccess) cudaGetLastError();
  return status;
}

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

// Whether `kKernel` may overlap as overlap.cuh says, on the current device, which is `device`: its
// loaded code waits (what was compiled for less than 9.0 does not, on a newer GPU neither), and the
// driver can also capture such launches into a graph (CUDA 12.3). Asked once for each device.
template <auto kKernel>
bool CanOverlap(int device) {
  enum class Answer : uint8_t { kUnknown, kNo, kYes };
  constexpr int kMaxDevices = 128;  // beyond that, asked every time
  constexpr int kFirstDriver = 12030;
  constexpr int kFirstCode = 90;
  static std::atomic<Answer> answers[kMaxDevices];

  if (device < kMaxDevices) {
    const Answer answer = answers[device].load(std::memory_order_relaxed);
    if (answer != Answer::kUnknown) return answer == Answer::kYes;
  }
  int driver = 0;
  cudaFuncAttributes code = {};
  if (cudaDriverGetVersion(&driver) != cudaSuccess ||
      cudaFuncGetAttributes(&code, kKernel) != cudaSuccess) {
    cudaGetLastError();  // the launch will say it better
    return false;
  }
  const bool can = driver >= kFirstDriver && code.ptxVersion >= kFirstCode;
  if (device < kMaxDevices) {
    answers[device].store(can ? Answer::kYes : Answer::kNo, std::memory_order_relaxed);
  }
  return can;
}

constexpr int64_t kMaxBlocks = 0x7fffffff;

// Launches `kKernel` with one parameter on the current device, which is `device`. The kernel calls
// WaitForPreviousKernel. Returns cudaErrorInvalidConfiguration for more than kMaxBlocks, and may
// return an error that earlier work left behind; never waits, so it can be captured into a graph.
template <auto kKernel, class Params>
cudaError_t Launch(int64_t blocks, dim3 threads, int device, void* stream, const Params& params) {
  if (blocks > kMaxBlocks) return cudaErrorInvalidConfiguration;
  cudaLaunchAttribute overlap = {};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = threads;
  config.stream = static_cast<cudaStream_t>(stream);
  config.attrs = &overlap;
  config.numAttrs = CanOverlap<kKernel>(device) ? 1 : 0;
  return cudaLaunchKernelEx(&config, kKernel, params);
}

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_LAUNCH_CUH_
