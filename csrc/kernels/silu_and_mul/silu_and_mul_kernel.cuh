// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_KERNEL_CUH_
#define TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_KERNEL_CUH_

#include <cstdint>
#include <type_traits>

#include "csrc/device/memory.cuh"
#include "csrc/device/numeric.cuh"
#include "csrc/kernels/silu_and_mul/silu_and_mul.h"

namespace tilewright {

// A block computes blockDim.y rows of a tile: the columns that blockDim.x threads hold.
struct SiluAndMulGrid {
  SiluAndMulParams p;
  int64_t tiles_per_row;
};

// The compile-time knobs of the kernel.
template <class ElementParam, int kPackSizeParam, int kPacksParam>
struct SiluAndMulConfig {
  using Element = ElementParam;
  using Pack = device::Pack<Element, kPackSizeParam>;
  static constexpr int kPackSize = kPackSizeParam;  // elements in one access
  static constexpr int kPacks = kPacksParam;        // of gates, and as many of factors, a thread
  static constexpr int kMaxThreads = 256;
  static constexpr int kMinBlocks = 6;
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
__global__ void __launch_bounds__(Config::kMaxThreads, Config::kMinBlocks)
    SiluAndMulKernel(SiluAndMulGrid grid) {
  using Element = typename Config::Element;
  using Pack = typename Config::Pack;
  const SiluAndMulParams& p = grid.p;
  const int64_t packs = p.columns / Config::kPackSize;
  const int64_t row_groups = (p.rows + blockDim.y - 1) / blockDim.y;
  const int64_t tiles = row_groups * grid.tiles_per_row;
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int64_t row_group = tile / grid.tiles_per_row;
    const int64_t row = row_group * blockDim.y + threadIdx.y;
    if (row >= p.rows) continue;
    const int64_t first =
        (tile - row_group * grid.tiles_per_row) * blockDim.x * Config::kPacks + threadIdx.x;
    const auto* gates = static_cast<const Element*>(p.x) + row * p.x_stride;
    const auto* factors = gates + p.columns;
    auto* out = static_cast<Element*>(p.out) + row * p.out_stride;

    // 1. Read, every load before the first use.
    Pack gate[Config::kPacks];
    Pack factor[Config::kPacks];
#pragma unroll
    for (int k = 0; k < Config::kPacks; ++k) {
      const int64_t i = first + k * blockDim.x;
      if (i >= packs) break;
      gate[k] = device::Load<device::LoadHint::kOnce, Pack>(gates + i * Config::kPackSize);
      factor[k] = device::Load<device::LoadHint::kOnce, Pack>(factors + i * Config::kPackSize);
    }

    // 2. Compute and write.
#pragma unroll
    for (int k = 0; k < Config::kPacks; ++k) {
      const int64_t i = first + k * blockDim.x;
      if (i >= packs) break;
      auto values = device::ToFloats(gate[k]);
      const auto factor_values = device::ToFloats(factor[k]);
#pragma unroll
      for (int j = 0; j < Config::kPackSize; ++j) {
        values.values[j] = SiluAndMul<Element>(values.values[j], factor_values.values[j]);
      }
      device::Store<device::StoreHint::kKeep>(out + i * Config::kPackSize,
                                              device::FromFloats<Pack>(values));
    }
  }
}

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_KERNEL_CUH_
