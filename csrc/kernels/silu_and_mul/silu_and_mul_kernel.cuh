// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_KERNEL_CUH_
#define TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_KERNEL_CUH_

#include <cstdint>
#include <type_traits>

#include "csrc/device/fast_divide.cuh"
#include "csrc/device/memory.cuh"
#include "csrc/device/numeric.cuh"
#include "csrc/device/overlap.cuh"
#include "csrc/kernels/silu_and_mul/silu_and_mul.h"

namespace tilewright {

// Blocks are numbered tile by tile, then by groups of blockDim.y rows; a tile is the columns that
// blockDim.x threads hold.
struct SiluAndMulGrid {
  SiluAndMulParams p;
  device::FastDivide tiles_per_row;
};

// The compile-time knobs of the kernel.
template <class ElementParam, int kPackSizeParam, int kPacksParam>
struct SiluAndMulConfig {
  using Element = ElementParam;
  using Pack = device::Pack<Element, kPackSizeParam>;
  static constexpr int kPackSize = kPackSizeParam;  // elements in one access
  static constexpr int kPacks = kPacksParam;        // of gates, and as many of factors, a thread
  static constexpr int kThreads = 256;
  static constexpr int kMinBlocks = 8;  // of that size, on a multiprocessor: all it can hold
};

// The fast forms err by a few units in float32's last places, which only a float32 result shows.
template <class Element>
__device__ __forceinline__ float SiluAndMul(float gate, float factor) {
  if constexpr (std::is_same_v<Element, float>) {
    return gate / (1.0f + expf(-gate)) * factor;
  } else {
    return __fdividef(gate, 1.0f + __expf(-gate)) * factor;
  }
}

template <class Config>
__global__ void __launch_bounds__(Config::kThreads, Config::kMinBlocks)
    SiluAndMulKernel(SiluAndMulGrid grid) {
  using Element = typename Config::Element;
  using Pack = typename Config::Pack;
  const SiluAndMulParams& p = grid.p;
  const uint32_t row_group = grid.tiles_per_row.Quotient(blockIdx.x);
  const uint32_t tile = blockIdx.x - row_group * grid.tiles_per_row.divisor();
  const int64_t row = static_cast<int64_t>(row_group) * blockDim.y + threadIdx.y;
  const int64_t first = static_cast<int64_t>(tile) * blockDim.x * Config::kPacks + threadIdx.x;
  // The packs from the thread's first to the end of the row; none past the last row.
  const int64_t packs = row < p.rows ? p.columns / Config::kPackSize - first : 0;
  const auto* gates =
      static_cast<const Element*>(p.x) + row * p.x_stride + first * Config::kPackSize;
  const auto* factors = gates + p.columns;
  auto* out = static_cast<Element*>(p.out) + row * p.out_stride + first * Config::kPackSize;
  device::WaitForPreviousKernel();

  // 1. Read, every load before the first use.
  Pack gate[Config::kPacks];
  Pack factor[Config::kPacks];
#pragma unroll
  for (int k = 0; k < Config::kPacks; ++k) {
    const int i = k * blockDim.x;
    gate[k] = factor[k] = Pack{};
    if (i < packs) {
      gate[k] = device::Load<Pack>(gates + i * Config::kPackSize);
      factor[k] = device::Load<Pack>(factors + i * Config::kPackSize);
    }
  }
  device::LetNextKernelStart();

  // 2. Compute and write.
#pragma unroll
  for (int k = 0; k < Config::kPacks; ++k) {
    const int i = k * blockDim.x;
    auto values = device::ToFloats(gate[k]);
    const auto factor_values = device::ToFloats(factor[k]);
#pragma unroll
    for (int j = 0; j < Config::kPackSize; ++j) {
      values.values[j] = SiluAndMul<Element>(values.values[j], factor_values.values[j]);
    }
    if (i < packs) {
      device::Store(out + i * Config::kPackSize, device::FromFloats<Pack>(values));
    }
  }
}

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_KERNEL_CUH_
