// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
// Runs anywhere: without a GPU it ends after the runtime's version, with one it runs a kernel that
// calls across objects.
#include <cstdio>
#include <cuda_runtime.h>

#include "tests/build/rules_cuda/rdc/triple.cuh"

__global__ void TripleKernel(int* values) { values[threadIdx.x] = Triple(values[threadIdx.x]); }

int main() {
  int version = 0;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess || version != EXPECTED_CUDART) {
    std::fprintf(stderr, "cudart %d, want %d\n", version, EXPECTED_CUDART);
    return 1;
  }
  int* values = nullptr;
  if (cudaMallocManaged(&values, 32 * sizeof(int)) != cudaSuccess) {
    std::printf("no GPU: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
  }
  for (int i = 0; i < 32; ++i) values[i] = i;
  TripleKernel<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::fprintf(stderr, "kernel: %s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < 32; ++i) {
    if (values[i] != 3 * i) {
      std::fprintf(stderr, "values[%d] = %d, want %d\n", i, values[i], 3 * i);
      return 1;
    }
  }
  return 0;
}
