// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The 16-bit floating-point types for tests: plain and slow, written from the formats' definitions.

#ifndef TILEWRIGHT_TESTING_SIXTEEN_BIT_H_
#define TILEWRIGHT_TESTING_SIXTEEN_BIT_H_

#include <cmath>
#include <cstdint>

namespace tilewright {
namespace testing {

struct Format {
  int exponent_bits;
  int fraction_bits;
};
inline constexpr Format kFloat16Format = {5, 10};
inline constexpr Format kBFloat16Format = {8, 7};

inline double Decode(uint16_t bits, Format format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int exponent = (bits >> format.fraction_bits) & ((1 << format.exponent_bits) - 1);
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << format.exponent_bits) - 1) return fraction != 0 ? NAN : sign * INFINITY;
  const int hidden = exponent != 0 ? 1 << format.fraction_bits : 0;
  const int power = (exponent != 0 ? exponent : 1) - bias - format.fraction_bits;
  return sign * std::ldexp(hidden + fraction, power);
}

// To nearest, ties to even. NaN gives some NaN.
inline uint16_t Encode(double value, Format format) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int infinity = ((1 << format.exponent_bits) - 1) << format.fraction_bits;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | infinity | 1);
  int exponent = 0;
  std::frexp(value, &exponent);
  const int lowest = 1 - bias;  // of normal numbers
  exponent = value == 0 || exponent - 1 < lowest ? lowest : exponent - 1;
  // In units of the last place; std::nearbyint rounds to even in the default mode.
  const double units =
      std::nearbyint(std::ldexp(std::fabs(value), format.fraction_bits - exponent));
  if (!(units < std::ldexp(1.0, 30))) return static_cast<uint16_t>(sign | infinity);
  // Adding lets a carry, or the hidden bit of a normal number, raise the exponent.
  const int64_t bits = (static_cast<int64_t>(exponent - lowest) << format.fraction_bits) +
                       static_cast<int64_t>(units);
  return static_cast<uint16_t>(sign | (bits < infinity ? bits : infinity));
}

}  // namespace testing
}  // namespace tilewright

#endif  // TILEWRIGHT_TESTING_SIXTEEN_BIT_H_
