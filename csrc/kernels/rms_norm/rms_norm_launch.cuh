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
  return device::Launch(RmsNormKernel<Config>, p.rows, dim3(threads), stream, p);
}

template <class Element, class Weight, template <class, int> class Input>
cudaError_t LaunchRmsNormOf(const RmsNormParams& p, void* stream) {
  constexpr int kPackSize = device::kAccessBytes / sizeof(Element);
  constexpr int kTwoPassThreads = 512;
  if (!FitsPacks(p, kPackSize)) {
    using Config = RmsNormConfig<Element, Weight, Input, 1, 1, RowGroup::kBlock, kTwoPassThreads>;
    return device::Launch(RmsNormTwoPassKernel<Config>, p.rows, dim3(kTwoPassThreads), stream, p);
  }

  const int64_t packs = p.columns / kPackSize;
  if (packs <= device::kWarpSize) {
    using Config = RmsNormConfig<Element, Weight, Input, kPackSize, 1, RowGroup::kLanes, 256>;
    const int lanes = device::PowerOfTwoFrom(packs);
    const int rows = Config::kMaxThreads / lanes;
    return device::Launch(RmsNormKernel<Config>, device::CeilDivide(p.rows, rows),
                          dim3(lanes, rows), stream, p);
  }
  // Many packs a thread keep more bytes on their way; few, with more threads, finish a row sooner.
  if (packs <= 512) {
    using Config = RmsNormConfig<Element, Weight, Input, kPackSize, 2, RowGroup::kBlock, 256>;
    return LaunchBlockPerRow<Config>(p, stream);
  }
  if (packs <= 4096) {
    using Config = RmsNormConfig<Element, Weight, Input, kPackSize, 4, RowGroup::kBlock, 1024>;
    return LaunchBlockPerRow<Config>(p, stream);
  }
  using Config =
      RmsNormConfig<Element, Weight, Input, kPackSize, 1, RowGroup::kBlock, kTwoPassThreads>;
  return device::Launch(RmsNormTwoPassKernel<Config>, p.rows, dim3(kTwoPassThreads), stream, p);
}

// Enqueues the kernel for `p` on the device of its tensors. `Input` is PlainInput or AddedInput.
template <template <class, int> class Input>
cudaError_t LaunchRmsNorm(const RmsNormParams& p, void* stream) {
  const device::DeviceGuard guard(p.device);
  if (guard.status() != cudaSuccess) return guard.status();
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
