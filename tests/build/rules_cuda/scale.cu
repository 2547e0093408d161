// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cuda/std/array>

#include "tests/build/rules_cuda/scale.h"

// Internal linkage on purpose: nvcc derives such names from the source's path, which must not be
// the absolute one.
namespace {

template <typename T>
__global__ void ScaleKernel(T* values, float factor, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] = T(static_cast<float>(values[i]) * factor);
}

}  // namespace

extern "C" int scale(float* values, float factor, int count) {
  ScaleKernel<<<(std::max(count, 1) + 255) / 256, 256>>>(values, factor, count);
  return static_cast<int>(cudaGetLastError());
}
