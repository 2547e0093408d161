// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every instruction set that this machine has, against double precision.

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "csrc/kernels/rms_norm/rms_norm_cpu.h"
#include "csrc/testing/sixteen_bit.h"
#include "csrc/testing/test_case.h"

namespace {

using tilewright::ElementType;
using tilewright::HostIsa;
using tilewright::Isa;
using tilewright::RmsNormParams;
using tilewright::testing::Decode;
using tilewright::testing::Encode;
using tilewright::testing::Format;
using tilewright::testing::kBFloat16Format;
using tilewright::testing::kFloat16Format;

struct Level {
  const char* name;
  Isa isa;
  void (*rows)(const RmsNormParams&, int64_t, int64_t);
};

std::vector<Level> HostLevels() {
  std::vector<Level> levels;
  for (const Level& level :
       {Level{"baseline", Isa::kBaseline, tilewright::isa_baseline::RmsNormRows},
        Level{"avx2", Isa::kAvx2, tilewright::isa_avx2::RmsNormRows},
        Level{"avx512", Isa::kAvx512, tilewright::isa_avx512::RmsNormRows}}) {
    if (level.isa <= HostIsa()) levels.push_back(level);
  }
  return levels;
}

// Elements of any type, as doubles.
struct Array {
  ElementType type;
  std::vector<float> wide;
  std::vector<uint16_t> narrow;

  Array(ElementType type_in, int64_t size) : type(type_in) {
    if (type == ElementType::kFloat32) {
      wide.resize(size);
    } else {
      narrow.resize(size);
    }
  }
  Format format() const { return type == ElementType::kFloat16 ? kFloat16Format : kBFloat16Format; }
  void* data() {
    return type == ElementType::kFloat32 ? static_cast<void*>(wide.data()) : narrow.data();
  }
  double get(int64_t i) const {
    return type == ElementType::kFloat32 ? wide[i] : Decode(narrow[i], format());
  }
  void set(int64_t i, double value) {
    if (type == ElementType::kFloat32) {
      wide[i] = static_cast<float>(value);
    } else {
      narrow[i] = Encode(value, format());
    }
  }
};

Array RandomArray(ElementType type, int64_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Array array(type, size);
  for (int64_t i = 0; i < size; ++i) array.set(i, normal(generator));
  return array;
}

// Half a unit in the last place, and the float32 arithmetic before it.
double Tolerance(ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return 2e-6;
    case ElementType::kFloat16:
      return 1.0 / 2048 + 2e-6;
    case ElementType::kBFloat16:
      return 1.0 / 256 + 2e-6;
  }
  return 0;
}

void ExpectNormalised(const Level& level, ElementType type, ElementType weight_type,
                      int64_t columns, bool add) {
  constexpr int64_t kRows = 3;
  const int64_t stride = columns + 5;  // rows lie apart, and unaligned
  Array x = RandomArray(type, kRows * stride, 1);
  Array residual = RandomArray(type, kRows * stride, 2);
  Array weight = RandomArray(weight_type, columns, 3);
  Array out(type, kRows * stride);
  const Array before = residual;
  RmsNormParams p = {};
  p.x = x.data();
  p.residual = add ? residual.data() : nullptr;
  p.weight = weight.data();
  p.out = out.data();
  p.rows = kRows;
  p.columns = columns;
  p.x_stride = p.residual_stride = p.out_stride = stride;
  p.epsilon = 1e-3f;
  p.type = type;
  p.weight_type = weight_type;
  level.rows(p, 0, kRows);

  double largest = 0;
  int wrong_sums = 0, touched = 0;
  for (int64_t row = 0; row < kRows; ++row) {
    Array input(type, columns);
    double squares = 0;
    for (int64_t i = 0; i < columns; ++i) {
      const int64_t at = row * stride + i;
      input.set(i, add ? x.get(at) + before.get(at) : x.get(at));
      squares += input.get(i) * input.get(i);
      if (add && residual.get(at) != input.get(i)) ++wrong_sums;
    }
    const double scale = 1 / std::sqrt(squares / columns + 1e-3f);
    for (int64_t i = 0; i < columns; ++i) {
      const double expected = input.get(i) * scale * weight.get(i);
      const double error = std::fabs(out.get(row * stride + i) - expected);
      largest = std::fmax(largest, error / (std::fabs(expected) + 1e-3));
    }
    for (int64_t i = columns; i < stride; ++i) {
      if (out.get(row * stride + i) != 0) ++touched;
    }
  }
  const std::string where = tilewright::Concat(level.name, ", type ", static_cast<int>(type),
                                               ", weight ", static_cast<int>(weight_type), ", ",
                                               columns, " columns, error ", largest, ", ");
  const bool close = largest <= Tolerance(type);
  TW_EXPECT_EQ(tilewright::Concat(where, "close ", close, ", wrong sums ", wrong_sums,
                                  ", touched outside ", touched),
               tilewright::Concat(where, "close 1, wrong sums 0, touched outside 0"));
}

void ExpectNormalisedForAllTypes(bool add) {
  for (const Level& level : HostLevels()) {
    for (ElementType type :
         {ElementType::kFloat32, ElementType::kFloat16, ElementType::kBFloat16}) {
      for (int64_t columns : {1, 7, 15, 16, 17, 31, 32, 33, 47, 48, 64, 1000}) {
        ExpectNormalised(level, type, type, columns, add);
        ExpectNormalised(level, type, ElementType::kFloat32, columns, add);
      }
    }
  }
}

}  // namespace

TW_TEST(rms_norm_rows_any_level_matches_double_precision) { ExpectNormalisedForAllTypes(false); }

TW_TEST(add_rms_norm_rows_any_level_matches_double_precision) { ExpectNormalisedForAllTypes(true); }

// Sums pass every 16-bit number through widening and rounding.
TW_TEST(rounding_every_sixteen_bit_number_is_exact) {
  constexpr int64_t kCount = 65536;
  for (const Level& level : HostLevels()) {
    for (ElementType type : {ElementType::kFloat16, ElementType::kBFloat16}) {
      for (unsigned step : {0u, 1u, 40503u}) {  // what is added: nothing, neighbours, far numbers
        Array x(type, kCount), residual(type, kCount), out(type, kCount);
        std::vector<uint16_t> expected(kCount);
        for (int64_t i = 0; i < kCount; ++i) {
          x.narrow[i] = step == 0 ? 0 : static_cast<uint16_t>(i * step + 12345);
          residual.narrow[i] = static_cast<uint16_t>(i);
          const float sum = static_cast<float>(x.get(i)) + static_cast<float>(residual.get(i));
          expected[i] = Encode(sum, x.format());
        }
        Array weight(ElementType::kFloat32, kCount);
        RmsNormParams p = {
            x.data(), residual.data(), weight.data(), out.data(), 1,    kCount,
            kCount,   kCount,          kCount,        0.0f,       type, ElementType::kFloat32,
            0};
        level.rows(p, 0, 1);
        int wrong = 0;
        for (int64_t i = 0; i < kCount; ++i) {
          const bool nan = std::isnan(Decode(expected[i], x.format()));
          const bool same = nan ? std::isnan(residual.get(i)) : residual.narrow[i] == expected[i];
          if (!same) ++wrong;
        }
        TW_EXPECT_EQ(tilewright::Concat(level.name, " wrong ", wrong),
                     tilewright::Concat(level.name, " wrong 0"));
      }
    }
  }
}
