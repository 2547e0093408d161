// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sixteen floats at a time, in the compiler's vector types: four SSE, two AVX or one AVX-512
// register. For sources compiled once for each instruction set (isa.bzl). Everything here is forced
// inline and in the level's namespace: a shared inline function compiled for AVX-512 could be the
// copy that the linker keeps for all.

#ifndef TILEWRIGHT_KERNELS_CPU_LANES_H_
#define TILEWRIGHT_KERNELS_CPU_LANES_H_

#ifndef TW_ISA
#error "TW_ISA is not set: list the source in cpu_kernel(srcs) of csrc/kernels/cpu/isa.bzl"
#endif

#ifdef __F16C__
#include <immintrin.h>
#endif

#include <cstdint>

#define TW_INLINE inline __attribute__((always_inline))

namespace tilewright {
namespace TW_ISA {

constexpr int kLanes = 16;

typedef float Lanes __attribute__((vector_size(64)));
typedef uint32_t Words __attribute__((vector_size(64)));
typedef int32_t SignedWords __attribute__((vector_size(64)));
typedef uint16_t HalfWords __attribute__((vector_size(32)));

// Storage of the 16-bit types.
struct Float16 {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

TW_INLINE Lanes Broadcast(float value) { return value - Lanes{}; }

TW_INLINE Words BitsOf(Lanes lanes) { return reinterpret_cast<Words>(lanes); }
TW_INLINE Lanes FromBits(Words words) { return reinterpret_cast<Lanes>(words); }

// `mask` is all ones or all zeros in each word, as comparisons give it.
TW_INLINE Words Select(SignedWords mask, Words yes, Words no) {
  const Words bits = reinterpret_cast<Words>(mask);
  return (yes & bits) | (no & ~bits);
}

TW_INLINE Lanes Max(Lanes a, Lanes b) { return FromBits(Select(a < b, BitsOf(b), BitsOf(a))); }
TW_INLINE Lanes Min(Lanes a, Lanes b) { return FromBits(Select(a > b, BitsOf(b), BitsOf(a))); }

template <class To, class From>
TW_INLINE To LoadAs(const From* from) {
  To to;
  __builtin_memcpy(&to, from, sizeof(to));
  return to;
}

// ---- 16-bit types -------------------------------------------------------------------------------

TW_INLINE Lanes Widen(HalfWords bits, BFloat16) {
  return FromBits(__builtin_convertvector(bits, Words) << 16);
}

// To nearest, ties to even; a NaN stays a quiet NaN.
TW_INLINE HalfWords Narrow(Lanes lanes, BFloat16) {
  const Words bits = BitsOf(lanes);
  const Words rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  const Words quiet_nan = (bits >> 16) | 0x40;
  return __builtin_convertvector(Select(lanes != lanes, quiet_nan, rounded), HalfWords);
}

#ifdef __F16C__

TW_INLINE Lanes Widen(HalfWords bits, Float16) {
  const __m128i* halves = reinterpret_cast<const __m128i*>(&bits);
  __m256 wide[2] = {_mm256_cvtph_ps(halves[0]), _mm256_cvtph_ps(halves[1])};
  return LoadAs<Lanes>(wide);
}

TW_INLINE HalfWords Narrow(Lanes lanes, Float16) {
  const __m256* wide = reinterpret_cast<const __m256*>(&lanes);
  __m128i halves[2] = {_mm256_cvtps_ph(wide[0], _MM_FROUND_TO_NEAREST_INT),
                       _mm256_cvtps_ph(wide[1], _MM_FROUND_TO_NEAREST_INT)};
  return LoadAs<HalfWords>(halves);
}

#else

TW_INLINE Lanes Widen(HalfWords bits, Float16) {
  const Words wide = __builtin_convertvector(bits, Words);
  const Words sign = (wide & 0x8000) << 16;
  const Words magnitude = (wide & 0x7fff) << 13;
  // Multiplying by 2^112 moves the exponent's bias, and normalises what was subnormal.
  const Words finite = BitsOf(FromBits(magnitude) * 0x1p112f);
  const Words special = magnitude | 0x7f800000;
  return FromBits(sign | Select(magnitude >= 0x0f800000, special, finite));
}

TW_INLINE HalfWords Narrow(Lanes lanes, Float16) {
  const Words bits = BitsOf(lanes);
  const Words sign = (bits >> 16) & 0x8000;
  const Words magnitude = bits & 0x7fffffff;
  // Past 2^-14: move the bias and round away 13 bits, to nearest, ties to even. A carry into the
  // exponent is right, and 65520 and more become infinity.
  const Words normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  // Below: adding 0.5 leaves the subnormal's bits, rounded, at the end of the fraction.
  const Words subnormal = BitsOf(FromBits(magnitude) + 0.5f) - 0x3f000000;
  const Words nan = 0x7e00 + Words{};
  const Words infinity = 0x7c00 + Words{};
  Words half = Select(magnitude < 0x38800000, subnormal, normal);
  half = Select(magnitude >= 0x47800000, infinity, half);
  half = Select(magnitude > 0x7f800000, nan, half);
  return __builtin_convertvector(sign | half, HalfWords);
}

#endif

// ---- memory -------------------------------------------------------------------------------------

TW_INLINE Lanes Load(const float* from) { return LoadAs<Lanes>(from); }

template <class Element>
TW_INLINE Lanes Load(const Element* from) {
  return Widen(LoadAs<HalfWords>(from), Element{});
}

TW_INLINE void Store(float* to, Lanes lanes) { __builtin_memcpy(to, &lanes, sizeof(lanes)); }

template <class Element>
TW_INLINE void Store(Element* to, Lanes lanes) {
  const HalfWords bits = Narrow(lanes, Element{});
  __builtin_memcpy(to, &bits, sizeof(bits));
}

// The first `count` < kLanes elements; the other lanes are 0.
template <class Element>
TW_INLINE Lanes LoadPart(const Element* from, int64_t count) {
  Element padded[kLanes] = {};
  for (int64_t i = 0; i < count; ++i) padded[i] = from[i];
  return Load(padded);
}

template <class Element>
TW_INLINE void StorePart(Element* to, Lanes lanes, int64_t count) {
  Element padded[kLanes];
  Store(padded, lanes);
  for (int64_t i = 0; i < count; ++i) to[i] = padded[i];
}

// ---- arithmetic ---------------------------------------------------------------------------------

TW_INLINE float Sum(Lanes lanes) {
  float sums[kLanes];
  Store(sums, lanes);
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int i = 0; i < width; ++i) sums[i] += sums[i + width];
  }
  return sums[0];
}

// e^x, within 2 units in the last place; 0 below -87.3, infinity above 88.4.
// Reduction by multiples of ln 2 in two parts and the polynomial of Cephes' expf.
TW_INLINE Lanes Exp(Lanes x) {
  x = Min(Max(x, Broadcast(-88.0f)), Broadcast(89.0f));
  constexpr float kMagic = 0x1.8p23f;  // adding it rounds to a whole number, kept in the low bits
  const Lanes shifted = x * 1.44269504f + kMagic;
  const Lanes whole = shifted - kMagic;
  const Lanes r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
  Lanes p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  const Words power = (BitsOf(shifted) - 0x4b400000 + 127) << 23;  // 0 for -127, infinity for 128
  return p * FromBits(power);
}

}  // namespace TW_ISA
}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_CPU_LANES_H_
