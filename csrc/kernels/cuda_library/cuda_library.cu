// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

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

}  // extern "C"
