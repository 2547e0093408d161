// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The element types on the device, and packs of them as floats. Results are rounded to nearest,
// ties to even.

#ifndef TILEWRIGHT_DEVICE_NUMERIC_CUH_
#define TILEWRIGHT_DEVICE_NUMERIC_CUH_

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "csrc/device/memory.cuh"

namespace tilewright {
namespace device {

// What a word of a pack holds. `Unpack` and `Repack` are for a 32-bit word, the singles for an
// element alone.
template <class Element>
struct Encoding;

template <>
struct Encoding<float> {
  static __device__ __forceinline__ float ToFloat(uint32_t word) { return __uint_as_float(word); }
  static __device__ __forceinline__ uint32_t FromFloat(float value) {
    return __float_as_uint(value);
  }
};

template <>
struct Encoding<__half> {
  static __device__ __forceinline__ float ToFloat(uint16_t word) {
    return __half2float(__ushort_as_half(word));
  }
  static __device__ __forceinline__ uint16_t FromFloat(float value) {
    return __half_as_ushort(__float2half_rn(value));
  }
  static __device__ __forceinline__ float2 Unpack(uint32_t word) {
    return __half22float2(reinterpret_cast<const __half2&>(word));
  }
  static __device__ __forceinline__ uint32_t Repack(float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return reinterpret_cast<const uint32_t&>(pair);
  }
};

template <>
struct Encoding<__nv_bfloat16> {
  static __device__ __forceinline__ float ToFloat(uint16_t word) {
    return __uint_as_float(static_cast<uint32_t>(word) << 16);
  }
  static __device__ __forceinline__ uint16_t FromFloat(float value) {
    return __bfloat16_as_ushort(__float2bfloat16_rn(value));
  }
  // A bfloat16 is the upper half of a float.
  static __device__ __forceinline__ float2 Unpack(uint32_t word) {
    return make_float2(__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000u));
  }
  static __device__ __forceinline__ uint32_t Repack(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return reinterpret_cast<const uint32_t&>(pair);
  }
};

template <int kCount>
struct Floats {
  float values[kCount];
};

// Whether the words of a pack hold two elements each.
template <class PackType>
constexpr bool kPaired = sizeof(typename PackType::Word) == 2 * sizeof(typename PackType::Element);

template <class PackType>
__device__ __forceinline__ Floats<PackType::kCount> ToFloats(const PackType& pack) {
  using Code = Encoding<typename PackType::Element>;
  Floats<PackType::kCount> floats;
  if constexpr (kPaired<PackType>) {
#pragma unroll
    for (int i = 0; i < PackType::kCount / 2; ++i) {
      const float2 pair = Code::Unpack(pack.words[i]);
      floats.values[2 * i] = pair.x;
      floats.values[2 * i + 1] = pair.y;
    }
  } else {
#pragma unroll
    for (int i = 0; i < PackType::kCount; ++i) floats.values[i] = Code::ToFloat(pack.words[i]);
  }
  return floats;
}

template <class PackType>
__device__ __forceinline__ PackType FromFloats(const Floats<PackType::kCount>& floats) {
  using Code = Encoding<typename PackType::Element>;
  PackType pack;
  if constexpr (kPaired<PackType>) {
#pragma unroll
    for (int i = 0; i < PackType::kCount / 2; ++i) {
      pack.words[i] = Code::Repack(floats.values[2 * i], floats.values[2 * i + 1]);
    }
  } else {
#pragma unroll
    for (int i = 0; i < PackType::kCount; ++i) pack.words[i] = Code::FromFloat(floats.values[i]);
  }
  return pack;
}

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_NUMERIC_CUH_
