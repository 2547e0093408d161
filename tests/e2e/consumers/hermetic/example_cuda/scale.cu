// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include "example_cuda/scale.h"

__global__ void scale_kernel(float* values, std::size_t count, float factor) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) {
    values[i] *= factor;
  }
}

extern "C" const char* scale(float* values, std::size_t count, float factor) {
  constexpr unsigned kThreads = 256;
  if (count == 0) {
    return nullptr;
  }
  const std::size_t bytes = count * sizeof(float);
  float* device = nullptr;
  cudaError_t status = cudaMalloc(&device, bytes);
  if (status == cudaSuccess) {
    status = cudaMemcpy(device, values, bytes, cudaMemcpyHostToDevice);
  }
  if (status == cudaSuccess) {
    const unsigned blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    scale_kernel<<<blocks, kThreads>>>(device, count, factor);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) {
    status = cudaMemcpy(values, device, bytes, cudaMemcpyDeviceToHost);
  }
  cudaFree(device);
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}
