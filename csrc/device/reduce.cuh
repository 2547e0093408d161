// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_DEVICE_REDUCE_CUH_
#define TILEWRIGHT_DEVICE_REDUCE_CUH_

namespace tilewright {
namespace device {

constexpr int kWarpSize = 32;
constexpr int kMaxWarps = 32;  // of a block

// The sum over groups of `lanes` neighbouring threads, a power of two up to 32, given to each of
// them. The whole warp takes part.
__device__ __forceinline__ float WarpSum(float value, int lanes = kWarpSize) {
  for (int offset = lanes / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  }
  return value;
}

// The sum over a block of whole warps, threads along x only, given to every thread. One barrier;
// `partials` (kMaxWarps floats of shared memory) may be used again after another barrier.
__device__ __forceinline__ float BlockSum(float value, float* partials) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int warps = blockDim.x / kWarpSize;
  value = WarpSum(value);
  if (lane == 0) partials[warp] = value;
  __syncthreads();
  return WarpSum(lane < warps ? partials[lane] : 0.0f);
}

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_REDUCE_CUH_
