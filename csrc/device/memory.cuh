// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Global memory in accesses of up to 16 bytes a thread.
//
// Caching is left at its defaults, measured on an H200 to be best for kernels that read and write
// once: loads not allocated in L1 cost 5 % at 65536 x 8192 (unless stores stream too, which then
// only makes up for it), and streaming stores push out of L2 what the next kernel reads.

#ifndef TILEWRIGHT_DEVICE_MEMORY_CUH_
#define TILEWRIGHT_DEVICE_MEMORY_CUH_

#include <cstdint>
#include <type_traits>

namespace tilewright {
namespace device {

// The widest access of a thread.
constexpr int kAccessBytes = 16;

// Elements side by side, loaded and stored together. Held as words: kept as elements, each 16-bit
// one would take a register of its own.
template <class ElementParam, int kCountParam>
struct alignas(sizeof(ElementParam) * kCountParam) Pack {
  using Element = ElementParam;
  static constexpr int kCount = kCountParam;
  static constexpr int kBytes = sizeof(Element) * kCount;
  using Word = std::conditional_t<kBytes % sizeof(uint32_t) == 0, uint32_t, uint16_t>;

  Word words[kBytes / sizeof(Word)];
};

namespace internal {

// Volatile: the compiler would move loads of what does not change, such as weights, above barriers,
// and spend on them the registers that other loads need.
__device__ __forceinline__ uint4 Load16(const void* address) {
  uint4 bits;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
               : "l"(address));
  return bits;
}

}  // namespace internal

// `address` is aligned to the pack, or to 16 bytes when the pack is larger.
template <class PackType>
__device__ __forceinline__ PackType Load(const void* address) {
  PackType pack;
  if constexpr (PackType::kBytes >= kAccessBytes) {
    static_assert(PackType::kBytes % kAccessBytes == 0, "a pack is whole accesses");
#pragma unroll
    for (int i = 0; i < PackType::kBytes / kAccessBytes; ++i) {
      const uint4 bits = internal::Load16(static_cast<const uint4*>(address) + i);
      pack.words[4 * i] = bits.x;
      pack.words[4 * i + 1] = bits.y;
      pack.words[4 * i + 2] = bits.z;
      pack.words[4 * i + 3] = bits.w;
    }
  } else {
    static_assert(sizeof(pack.words) == sizeof(pack.words[0]), "a smaller pack is one word");
    pack.words[0] = *static_cast<const typename PackType::Word*>(address);
  }
  return pack;
}

template <class PackType>
__device__ __forceinline__ void Store(void* address, const PackType& pack) {
  if constexpr (PackType::kBytes >= kAccessBytes) {
    static_assert(PackType::kBytes % kAccessBytes == 0, "a pack is whole accesses");
#pragma unroll
    for (int i = 0; i < PackType::kBytes / kAccessBytes; ++i) {
      static_cast<uint4*>(address)[i] = make_uint4(pack.words[4 * i], pack.words[4 * i + 1],
                                                   pack.words[4 * i + 2], pack.words[4 * i + 3]);
    }
  } else {
    static_assert(sizeof(pack.words) == sizeof(pack.words[0]), "a smaller pack is one word");
    *static_cast<typename PackType::Word*>(address) = pack.words[0];
  }
}

// Makes the compiler forget what it derived from `pack` so far, so that across a barrier it holds
// the pack in registers and not the floats it was converted to, which take twice as many.
template <class PackType>
__device__ __forceinline__ void StayPacked(PackType& pack) {
  if constexpr (sizeof(pack.words[0]) == sizeof(uint32_t)) {
#pragma unroll
    for (auto& word : pack.words) asm volatile("" : "+r"(word));
  }
}

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_MEMORY_CUH_
