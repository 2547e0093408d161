// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include "csrc/device/launch.cuh"

extern "C" {

// CUDA's description of a cudaError_t.
__attribute__((visibility("default"))) const char* tw_cuda_error_string(int code) {
  return cudaGetErrorString(static_cast<cudaError_t>(code));
}

// The version of the libcudart in use, 13000 for 13.0; 0 when it does not tell. Needs no driver.
__attribute__((visibility("default"))) int tw_cuda_runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : 0;
}

// Waits for the work on a stream of `device`; null is that device's default stream.
__attribute__((visibility("default"))) int tw_cuda_stream_synchronize(int device, void* stream) {
  const tilewright::device::DeviceGuard guard(device);
  if (guard.status() != cudaSuccess) return guard.status();
  return cudaStreamSynchronize(static_cast<cudaStream_t>(stream));
}

}  // extern "C"
