// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>

#include "csrc/device/launch.cuh"
#include "csrc/kernels/silu_and_mul/silu_and_mul_kernel.cuh"

namespace tilewright {

template <class Config>
cudaError_t LaunchSiluAndMulWith(const SiluAndMulParams& p, void* stream) {
  const int64_t packs = p.columns / Config::kPackSize;
  // Short rows share a block.
  const int64_t threads_for_row = device::CeilDivide(packs, Config::kPacks);
  const int x = device::PowerOfTwoFrom(std::min<int64_t>(threads_for_row, Config::kThreads));
  const int y = Config::kThreads / x;
  const int64_t tiles = device::CeilDivide(packs, x * Config::kPacks);
  const int64_t blocks = device::CeilDivide(p.rows, y) * tiles;
  const SiluAndMulGrid grid = {p, device::FastDivide(static_cast<uint32_t>(tiles))};
  return device::Launch<SiluAndMulKernel<Config>>(blocks, dim3(x, y), p.device, stream, grid);
}

template <class Element>
cudaError_t LaunchSiluAndMulOf(const SiluAndMulParams& p, void* stream) {
  constexpr int kPackSize = device::kAccessBytes / sizeof(Element);
  const bool fits_packs = p.columns % kPackSize == 0 && p.x_stride % kPackSize == 0 &&
                          p.out_stride % kPackSize == 0 &&
                          device::IsAligned(p.x, device::kAccessBytes) &&
                          device::IsAligned(p.out, device::kAccessBytes);
  if (fits_packs) return LaunchSiluAndMulWith<SiluAndMulConfig<Element, kPackSize, 1>>(p, stream);
  return LaunchSiluAndMulWith<SiluAndMulConfig<Element, 1, 4>>(p, stream);
}

cudaError_t LaunchSiluAndMul(const SiluAndMulParams& p, void* stream) {
  switch (p.type) {
    case ElementType::kFloat32:
      return LaunchSiluAndMulOf<float>(p, stream);
    case ElementType::kFloat16:
      return LaunchSiluAndMulOf<__half>(p, stream);
    case ElementType::kBFloat16:
      return LaunchSiluAndMulOf<__nv_bfloat16>(p, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace tilewright

extern "C" __attribute__((visibility("default"))) int tw_cuda_silu_and_mul(
    const tilewright::SiluAndMulParams* params, void* stream) {
  return tilewright::device::OnDevice(
      params->device, [&] { return tilewright::LaunchSiluAndMul(*params, stream); });
}
