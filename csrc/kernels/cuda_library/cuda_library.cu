// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include "csrc/device/launch.cuh"
#include "csrc/runtime/cuda_api.h"

extern "C" {

__attribute__((visibility("default"))) int tw_cuda_library_version() {
  return TW_CUDA_LIBRARY_VERSION;
}

// The oldest compute capability that there is code for, 80 for 8.0.
__attribute__((visibility("default"))) int tw_cuda_min_compute_capability() {
  constexpr int kArchs[] = {__CUDA_ARCH_LIST__};  // ascending
  return kArchs[0] / 10;
}

// CUDA's description of a cudaError_t.
__attribute__((visibility("default"))) const char* tw_cuda_error_string(int code) {
  return cudaGetErrorString(static_cast<cudaError_t>(code));
}

// The version of the libcudart in use, 13000 for 13.0; 0 when it does not tell. Needs no driver.
__attribute__((visibility("default"))) int tw_cuda_runtime_version() {
  int version = 0;
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) return version;
  cudaGetLastError();
  return 0;
}

// Waits for the work on a stream of `device`; null is that device's default stream.
__attribute__((visibility("default"))) int tw_cuda_stream_synchronize(int device, void* stream) {
  return tilewright::device::OnDevice(
      device, [&] { return cudaStreamSynchronize(static_cast<cudaStream_t>(stream)); });
}

}  // extern "C"
