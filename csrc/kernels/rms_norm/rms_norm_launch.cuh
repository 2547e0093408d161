// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The choice of the kernel's configuration, for rms_norm and add_rms_norm.

#ifndef TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_LAUNCH_CUH_
#define TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_LAUNCH_CUH_

#include <algorithm>
#include <cstdint>

#include "csrc/device/launch.cuh"
#include "csrc/kernels/rms_norm/rms_norm_kernel.cuh"

namespace tilewright {

// Whether rows can be accessed in packs of `pack_size` elements, aligned to `kAccessBytes`.
inline bool FitsPacks(const RmsNormParams& p, int64_t pack_size) {
  const int64_t bytes = device::kAccessBytes;
  return p.columns % pack_size == 0 && p.x_stride % pack_size == 0 &&
         p.out_stride % pack_size == 0 && p.residual_stride % pack_size == 0 &&
         device::IsAligned(p.x, bytes) && device::IsAligned(p.residual, bytes) &&
         device::IsAligned(p.weight, bytes) && device::IsAligned(p.out, bytes);
}

// A block of whole warps for each row, each thread holding `Config::kPacks` packs of it.
template <class Config>
cudaError_t LaunchBlockPerRow(const RmsNormParams& p, void* stream) {
  const int64_t packs = p.columns / Config::kPackSize;
  const int64_t warps = device::CeilDivide(packs, Config::kPacks * device::kWarpSize);
  const auto threads = static_cast<unsigned>(warps * device::kWarpSize);
  return device::Launch<RmsNormKernel<Config>>(p.rows, dim3(threads), p.device, stream, p);
}

// As many threads of a warp as a row needs, `Config::kMaxThreads` in a block.
template <class Config>
cudaError_t LaunchLanesPerRow(const RmsNormParams& p, void* stream) {
  const int64_t packs = p.columns / Config::kPackSize;
  const int lanes = device::PowerOfTwoFrom(std::min<int64_t>(packs, device::kWarpSize));
  const int rows = Config::kMaxThreads / lanes;
  return device::Launch<RmsNormKernel<Config>>(device::CeilDivide(p.rows, rows), dim3(lanes, rows),
                                               p.device, stream, p);
}

// Blocks take rows in turn: of one-element rows, memory can hold more than a grid has blocks.
template <class Config>
cudaError_t LaunchTwoPass(const RmsNormParams& p, void* stream) {
  return device::Launch<RmsNormTwoPassKernel<Config>>(
      std::min(p.rows, device::kMaxBlocks), dim3(Config::kMaxThreads), p.device, stream, p);
}

template <class Element, class Weight, template <class, int> class Input>
cudaError_t LaunchRmsNormOf(const RmsNormParams& p, void* stream) {
  constexpr int kPackSize = device::kAccessBytes / sizeof(Element);
  constexpr int kShort = Input<Element, kPackSize>::kShortRowPacks;
  constexpr int kShortBlocks = Input<Element, kPackSize>::kShortRowBlocks;
  constexpr int kLong = Input<Element, kPackSize>::kLongRowPacks;
  constexpr bool kWeightEarly = sizeof(Weight) == sizeof(Element);  // float32 would need too many
  constexpr auto kLanes = RowGroup::kLanes;
  constexpr auto kBlock = RowGroup::kBlock;

  if (!FitsPacks(p, kPackSize)) {
    return LaunchTwoPass<RmsNormConfig<Element, Weight, Input, 1, 1, kBlock, 512>>(p, stream);
  }
  const int64_t packs = p.columns / kPackSize;
  if (packs <= 32) {
    return LaunchLanesPerRow<RmsNormConfig<Element, Weight, Input, kPackSize, 1, kLanes, 256>>(
        p, stream);
  }
  if (packs <= 128) {
    return LaunchLanesPerRow<RmsNormConfig<Element, Weight, Input, kPackSize, 4, kLanes, 256>>(
        p, stream);
  }
  // Blocks small enough that several fit on a multiprocessor: one reads while another sums.
  if (packs <= 1024) {
    return LaunchBlockPerRow<RmsNormConfig<Element, Weight, Input, kPackSize, kShort, kBlock,
                                           1024 / kShort, kShortBlocks, kWeightEarly>>(p, stream);
  }
  if (packs <= 2048) {
    return LaunchBlockPerRow<RmsNormConfig<Element, Weight, Input, kPackSize, 4, kBlock, 512, 2>>(
        p, stream);
  }
  if (packs <= 1024 * kLong) {
    return LaunchBlockPerRow<RmsNormConfig<Element, Weight, Input, kPackSize, kLong, kBlock, 1024>>(
        p, stream);
  }
  return LaunchTwoPass<RmsNormConfig<Element, Weight, Input, kPackSize, 1, kBlock, 1024>>(p,
                                                                                          stream);
}

// Enqueues the kernel for `p` on the current device. `Input` is PlainInput or AddedInput.
template <template <class, int> class Input>
cudaError_t LaunchRmsNorm(const RmsNormParams& p, void* stream) {
  const bool float_weight = p.weight_type == ElementType::kFloat32;
  switch (p.type) {
    case ElementType::kFloat32:
      return LaunchRmsNormOf<float, float, Input>(p, stream);
    case ElementType::kFloat16:
      return float_weight ? LaunchRmsNormOf<__half, float, Input>(p, stream)
                          : LaunchRmsNormOf<__half, __half, Input>(p, stream);
    case ElementType::kBFloat16:
      return float_weight ? LaunchRmsNormOf<__nv_bfloat16, float, Input>(p, stream)
                          : LaunchRmsNormOf<__nv_bfloat16, __nv_bfloat16, Input>(p, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_LAUNCH_CUH_
