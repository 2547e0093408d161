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
#include "csrc/device/overlap.cuh"
#include "csrc/device/reduce.cuh"
#include "csrc/kernels/rms_norm/rms_norm.h"

namespace tilewright {

// What is normalised is the input itself.
template <class ElementType, int kPackSize>
struct PlainInput {
  using Pack = device::Pack<ElementType, kPackSize>;
  using Fetched = Pack;

  // Tuned on an H200: how many packs a thread holds of a row of up to 1024 packs, blocks of such a
  // row's threads on a multiprocessor, and packs a thread can hold at most without spilling.
  static constexpr int kShortRowPacks = 2;
  static constexpr int kShortRowBlocks = 3;
  static constexpr int kLongRowPacks = 8;

  const ElementType* x;

  // Packs are counted from pack `first` of the row.
  __device__ __forceinline__ PlainInput(const RmsNormParams& p, int64_t row, int64_t first)
      : x(static_cast<const ElementType*>(p.x) + row * p.x_stride + first * kPackSize) {}

  // Loads only, so that a thread can have many under way.
  __device__ __forceinline__ Fetched Fetch(int64_t i) const {
    return device::Load<Pack>(x + i * kPackSize);
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

  static constexpr int kShortRowPacks = 4;
  static constexpr int kShortRowBlocks = 4;
  static constexpr int kLongRowPacks = 4;

  const ElementType* x;
  ElementType* residual;

  __device__ __forceinline__ AddedInput(const RmsNormParams& p, int64_t row, int64_t first)
      : x(static_cast<const ElementType*>(p.x) + row * p.x_stride + first * kPackSize),
        residual(static_cast<ElementType*>(p.residual) + row * p.residual_stride +
                 first * kPackSize) {}

  __device__ __forceinline__ Fetched Fetch(int64_t i) const {
    return {device::Load<Pack>(x + i * kPackSize), device::Load<Pack>(residual + i * kPackSize)};
  }
  __device__ __forceinline__ Pack Finish(const Fetched& fetched) const {
    auto sum = device::ToFloats(fetched.x);
    const auto addend = device::ToFloats(fetched.residual);
#pragma unroll
    for (int j = 0; j < kPackSize; ++j) sum.values[j] += addend.values[j];
    return device::FromFloats<Pack>(sum);
  }
  __device__ __forceinline__ void Keep(int64_t i, const Pack& pack) const {
    device::Store(residual + i * kPackSize, pack);
  }
  __device__ __forceinline__ Pack Again(int64_t i) const {
    return device::Load<Pack>(residual + i * kPackSize);
  }
};

enum class RowGroup {
  kLanes,  // blockDim.x lanes of a warp, a power of two; blockDim.y rows in a block
  kBlock   // a block of whole warps
};

// The compile-time knobs of the kernel. The launch bounds are what keeps the compiler from using
// more registers than the loads in flight are worth.
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
  static constexpr int kMaxThreads = kMaxThreadsParam;     // of a block
  static constexpr int kMinBlocks = kMinBlocksParam;       // of that size, on a multiprocessor
  static constexpr bool kWeightEarly = kWeightEarlyParam;  // read before the sum, not after
};

template <int kSize>
__device__ __forceinline__ float SumOfSquares(const device::Floats<kSize>& floats) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kSize; ++i) sum += floats.values[i] * floats.values[i];
  return sum;
}

template <class Config>
__device__ __forceinline__ typename Config::WeightPack LoadWeight(
    const typename Config::Weight* weight, int64_t i) {
  return device::Load<typename Config::WeightPack>(weight + i * Config::kPackSize);
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

// One row for each group of threads; the grid covers all rows.
template <class Config>
__global__ void __launch_bounds__(Config::kMaxThreads, Config::kMinBlocks)
    RmsNormKernel(RmsNormParams p) {
  using Input = typename Config::Input;
  using Pack = typename Config::Pack;
  using WeightPack = typename Config::WeightPack;
  constexpr int kHeld = Config::kPacks;
  constexpr int kApart = device::kWarpSize;  // packs from one of a thread's to its next

  // A warp's packs lie side by side, so a thread's are a constant apart: offsets become immediates.
  const int own =
      threadIdx.x / device::kWarpSize * (kHeld * kApart) + threadIdx.x % device::kWarpSize;
  const int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  // Lanes past the last row go along without touching memory: all take part in the sums.
  const int packs = row < p.rows ? static_cast<int>(p.columns) / Config::kPackSize - own : 0;
  const Input input(p, row, own);
  const auto* weight =
      static_cast<const typename Config::Weight*>(p.weight) + own * Config::kPackSize;
  auto* out =
      static_cast<typename Config::Element*>(p.out) + row * p.out_stride + own * Config::kPackSize;
  device::WaitForPreviousKernel();

  // 1. Read the row, every load before the first use; zeros past its end add nothing to the sum.
  typename Input::Fetched fetched[kHeld];
  WeightPack weights[kHeld];
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    fetched[k] = k * kApart < packs ? input.Fetch(k * kApart) : typename Input::Fetched{};
  }
  if constexpr (Config::kWeightEarly) {
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
      weights[k] = k * kApart < packs ? LoadWeight<Config>(weight, k * kApart) : WeightPack{};
    }
  }
  device::LetNextKernelStart();

  // 2. The sum of squares over the row.
  Pack held[kHeld];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    held[k] = input.Finish(fetched[k]);
    if (k * kApart < packs) input.Keep(k * kApart, held[k]);
    sum += SumOfSquares(device::ToFloats(held[k]));
    device::StayPacked(held[k]);
  }
  if constexpr (Config::kGroup == RowGroup::kLanes) {
    sum = device::WarpSum(sum, blockDim.x);
  } else {
    __shared__ float partials[device::kMaxWarps];
    sum = device::BlockSum(sum, partials);
  }
  const float scale = rsqrtf(sum / static_cast<float>(static_cast<int>(p.columns)) + p.epsilon);

  // 3. Scale and write.
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    if (k * kApart < packs) {
      if constexpr (!Config::kWeightEarly) weights[k] = LoadWeight<Config>(weight, k * kApart);
      device::Store(out + k * kApart * Config::kPackSize,
                    Scale<Config>(held[k], scale, weights[k]));
    }
  }
}

// For rows that do not fit in registers, and for packs of one element: reads a row twice.
template <class Config>
__global__ void __launch_bounds__(Config::kMaxThreads) RmsNormTwoPassKernel(RmsNormParams p) {
  __shared__ float partials[2][device::kMaxWarps];  // by turns, to save a barrier a row

  const auto* weight = static_cast<const typename Config::Weight*>(p.weight);
  const int64_t packs = p.columns / Config::kPackSize;
  device::WaitForPreviousKernel();
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
      device::Store(out + i * Config::kPackSize,
                    Scale<Config>(input.Again(i), scale, LoadWeight<Config>(weight, i)));
    }
  }
}

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_KERNEL_CUH_
