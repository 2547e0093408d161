// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_DEVICE_FAST_DIVIDE_CUH_
#define TILEWRIGHT_DEVICE_FAST_DIVIDE_CUH_

#include <cstdint>

namespace tilewright {
namespace device {

// Division by a number known at launch, by multiplication: exact for dividends below 2^31.
// Source: Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994.
class FastDivide {
 public:
  // 1 <= divisor < 2^31.
  explicit FastDivide(uint32_t divisor) : divisor_(divisor) {
    while ((uint64_t{1} << shift_) < divisor) ++shift_;
    multiplier_ = static_cast<uint32_t>(((uint64_t{1} << (31 + shift_)) + divisor - 1) / divisor);
  }

  __device__ __forceinline__ uint32_t Quotient(uint32_t dividend) const {
    // Twice the dividend makes up for the shift by 31, one less than __umulhi's 32.
    return __umulhi(2 * dividend, multiplier_) >> shift_;
  }

  __device__ __forceinline__ uint32_t divisor() const { return divisor_; }

 private:
  uint32_t divisor_;
  uint32_t multiplier_ = 0;
  uint32_t shift_ = 0;
};

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_FAST_DIVIDE_CUH_
