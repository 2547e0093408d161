// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// One kernel for rms_norm and add_rms_norm. A row belongs to a group of threads that keeps it in
// registers between the sum and the scaling, so memory is passed over once. Rows too long for that,
// or not aligned for 16-byte accesses, are read a second time, mostly from cache.

#ifndef TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_KERNEL_CUH_
#define TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_KERNEL_CUH_

#include <cstdint>

#include "csrc/device/memory.cuh"
#include "csrc/device/numeric.cuh"
#include "csrc/device/reduce.cuh"
#include "csrc/kernels/rms_norm/rms_norm.h"

namespace tilewright {

// What is normalised is the input itself.
template <class ElementType, int kPackSize>
struct PlainInput {
  using Pack = device::Pack<ElementType, kPackSize>;
  using Fetched = Pack;

  const ElementType* x;

  // Packs are counted from pack `first` of the row.
  __device__ __forceinline__ PlainInput(const RmsNormParams& p, int64_t row, int64_t first)
      : x(static_cast<const ElementType*>(p.x) + row * p.x_stride + first * kPackSize) {}

  // Loads only, so that a thread can have many under way.
  __device__ __forceinline__ Fetched Fetch(int64_t i) const {
    return device::Load<device::LoadHint::kOnce, Pack>(x + i * kPackSize);
  }
  // What is to be normalised, from what was fetched.
  __device__ __forceinline__ Pack Finish(const Fetched& fetched) const { return fetched; }
  // Writes back what is to be normalised.
  __device__ __forceinline__ void Keep(int64_t, const Pack&) const {}
  // The same for a second pass.
  __device__ __forceinline__ Pack Again(int64_t i) const { return Fetch(i); }
};

// What is normalised is the sum of input and residual, as rounded and stored in the residual.
template <class ElementType, int kPackSize>
struct AddedInput {
  using Pack = device::Pack<ElementType, kPackSize>;
  struct Fetched {
    Pack x;
    Pack residual;
  };

  const ElementType* x;
  ElementType* residual;

  __device__ __forceinline__ AddedInput(const RmsNormParams& p, int64_t row, int64_t first)
      : x(static_cast<const ElementType*>(p.x) + row * p.x_stride + first * kPackSize),
        residual(static_cast<ElementType*>(p.residual) + row * p.residual_stride +
                 first * kPackSize) {}

  __device__ __forceinline__ Fetched Fetch(int64_t i) const {
    return {device::Load<device::LoadHint::kOnce, Pack>(x + i * kPackSize),
            device::Load<device::LoadHint::kOnce, Pack>(residual + i * kPackSize)};
  }
  __device__ __forceinline__ Pack Finish(const Fetched& fetched) const {
    auto sum = device::ToFloats(fetched.x);
    const auto addend = device::ToFloats(fetched.residual);
#pragma unroll
    for (int j = 0; j < kPackSize; ++j) sum.values[j] += addend.values[j];
    return device::FromFloats<Pack>(sum);
  }
  __device__ __forceinline__ void Keep(int64_t i, const Pack& pack) const {
    device::Store<device::StoreHint::kKeep>(residual + i * kPackSize, pack);
  }
  __device__ __forceinline__ Pack Again(int64_t i) const {
    return device::Load<device::LoadHint::kOnce, Pack>(residual + i * kPackSize);
  }
};

enum class RowGroup {
  kLanes,  // blockDim.x lanes of a warp, a power of two; blockDim.y rows in a block
  kBlock   // a block of whole warps
};

// The compile-time knobs of the kernel. The launch bounds are what keeps the compiler from using more
// registers than the loads in flight are worth.
template <class ElementParam, class WeightParam, template <class, int> class InputParam,
          int kPackSizeParam, int kPacksParam, RowGroup kGroupParam, int kMaxThreadsParam,
          int kMinBlocksParam = 1, bool kWeightEarlyParam = false>
struct RmsNormConfig {
  using Element = ElementParam;
  using Weight = WeightParam;
  using Input = InputParam<Element, kPackSizeParam>;
  using Pack = device::Pack<Element, kPackSizeParam>;
  using WeightPack = device::Pack<Weight, kPackSizeParam>;
  static constexpr int kPackSize = kPackSizeParam;  // elements in one access
  static constexpr int kPacks = kPacksParam;        // of a row, held by each thread
  static constexpr RowGroup kGroup = kGroupParam;
  static constexpr int kMaxThreads = kMaxThreadsParam;           // of a block
  static constexpr int kMinBlocks = kMinBlocksParam;             // of that size, on a multiprocessor
  static constexpr bool kWeightEarly = kWeightEarlyParam;  // read before the sum, not after
  static constexpr device::StoreHint kStore = device::StoreHint::kKeep;
};

template <int kSize>
__device__ __forceinline__ float SumOfSquares(const device::Floats<kSize>& floats) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kSize; ++i) sum += floats.values[i] * floats.values[i];
  return sum;
}

template <class Config>
__device__ __forceinline__ typename Config::WeightPack LoadWeight(const typename Config::Weight* weight,
                                                                  int64_t i) {
  return device::Load<device::LoadHint::kKeep, typename Config::WeightPack>(
      weight + i * Config::kPackSize);
}

template <class Config>
__device__ __forceinline__ typename Config::Pack Scale(const typename Config::Pack& pack,
                                                       float scale,
                                                       const typename Config::WeightPack& weight) {
  auto values = device::ToFloats(pack);
  const auto factors = device::ToFloats(weight);
#pragma unroll
  for (int j = 0; j < Config::kPackSize; ++j) {
    values.values[j] = values.values[j] * scale * factors.values[j];
  }
  return device::FromFloats<typename Config::Pack>(values);
}

template <class Config>
__global__ void __launch_bounds__(Config::kMaxThreads, Config::kMinBlocks) RmsNormKernel(RmsNormParams p) {
  using Input = typename Config::Input;
  using Pack = typename Config::Pack;
  using WeightPack = typename Config::WeightPack;
  constexpr int kHeld = Config::kPacks;
  __shared__ float partials[2][device::kMaxWarps];  // by turns, to save a barrier a row

  // A warp's packs lie side by side, so a thread's are a constant apart: offsets become immediates.
  const int own = threadIdx.x / device::kWarpSize * (kHeld * device::kWarpSize) +
                  threadIdx.x % device::kWarpSize;
  const int packs = static_cast<int>(p.columns / Config::kPackSize) - own;
  const auto* weight = static_cast<const typename Config::Weight*>(p.weight) +
                       static_cast<int64_t>(own) * Config::kPackSize;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.y;
  int turn = 0;
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.y; first < p.rows;
       first += step) {
    // Lanes past the last row go along without touching memory: all take part in the sums.
    const int64_t row = first + threadIdx.y;
    const int row_packs = row < p.rows ? packs : 0;
    const Input input(p, row, own);
    auto* out = static_cast<typename Config::Element*>(p.out) + row * p.out_stride +
                static_cast<int64_t>(own) * Config::kPackSize;

    // 1. Read the row, every load before the first use. Zeros past its end: they add nothing to the
    // sum, and a register that is always written does not stay occupied around the loop.
    typename Input::Fetched fetched[kHeld];
    WeightPack weights[kHeld];
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
      const int i = k * device::kWarpSize;
      fetched[k] = i < row_packs ? input.Fetch(i) : typename Input::Fetched{};
    }
    if constexpr (Config::kWeightEarly) {
#pragma unroll
      for (int k = 0; k < kHeld; ++k) {
        const int i = k * device::kWarpSize;
        weights[k] = i < row_packs ? LoadWeight<Config>(weight, i) : WeightPack{};
      }
    }

    // 2. The sum of squares over the row.
    Pack held[kHeld];
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
      const int i = k * device::kWarpSize;
      held[k] = input.Finish(fetched[k]);
      if (i < row_packs) input.Keep(i, held[k]);
      sum += SumOfSquares(device::ToFloats(held[k]));
      device::StayPacked(held[k]);
    }
    if constexpr (Config::kGroup == RowGroup::kLanes) {
      sum = device::WarpSum(sum, blockDim.x);
    } else {
      sum = device::BlockSum(sum, partials[turn]);
      turn ^= 1;
    }
    const float scale = rsqrtf(sum / static_cast<float>(p.columns) + p.epsilon);

    // 3. Scale and write.
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
      const int i = k * device::kWarpSize;
      if (i < row_packs) {
        if constexpr (!Config::kWeightEarly) weights[k] = LoadWeight<Config>(weight, i);
        device::Store<Config::kStore>(out + i * Config::kPackSize,
                                      Scale<Config>(held[k], scale, weights[k]));
      }
    }
  }
}

// For rows that do not fit in registers, and for packs of one element: reads a row twice.
template <class Config>
__global__ void __launch_bounds__(Config::kMaxThreads) RmsNormTwoPassKernel(RmsNormParams p) {
  __shared__ float partials[2][device::kMaxWarps];

  const auto* weight = static_cast<const typename Config::Weight*>(p.weight);
  const int64_t packs = p.columns / Config::kPackSize;
  int turn = 0;
  for (int64_t row = blockIdx.x; row < p.rows; row += gridDim.x) {
    const typename Config::Input input(p, row, 0);
    auto* out = static_cast<typename Config::Element*>(p.out) + row * p.out_stride;

    // 1. The sum of squares over the row.
    float sum = 0.0f;
#pragma unroll 4
    for (int64_t i = threadIdx.x; i < packs; i += blockDim.x) {
      const auto pack = input.Finish(input.Fetch(i));
      input.Keep(i, pack);
      sum += SumOfSquares(device::ToFloats(pack));
    }
    sum = device::BlockSum(sum, partials[turn]);
    turn ^= 1;
    const float scale = rsqrtf(sum / static_cast<float>(p.columns) + p.epsilon);

    // 2. Read again, scale and write.
#pragma unroll 4
    for (int64_t i = threadIdx.x; i < packs; i += blockDim.x) {
      device::Store<Config::kStore>(
          out + i * Config::kPackSize,
          Scale<Config>(input.Again(i), scale, LoadWeight<Config>(weight, i)));
    }
  }
}

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_KERNEL_CUH_
