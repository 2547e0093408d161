// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every instruction set that this machine has, against double precision.

#include <cmath>
#include <cstdint>
#include <vector>

#include "csrc/kernels/silu_and_mul/silu_and_mul_cpu.h"
#include "csrc/testing/test_case.h"

namespace {

using tilewright::ElementType;
using tilewright::HostIsa;
using tilewright::Isa;
using tilewright::SiluAndMulParams;

struct Level {
  const char* name;
  Isa isa;
  void (*span)(const SiluAndMulParams&, int64_t, int64_t, int64_t);
};

// silu(gate) of float32 gates, with factors of one.
std::vector<float> Silu(const Level& level, const std::vector<float>& gates) {
  const auto columns = static_cast<int64_t>(gates.size());
  std::vector<float> x(gates);
  x.resize(2 * columns, 1.0f);
  std::vector<float> out(columns + 1, 7.0f);
  const SiluAndMulParams p = {
      x.data(), out.data(), 1, columns, 2 * columns, columns + 1, ElementType::kFloat32, 0};
  level.span(p, 0, 0, columns);
  TW_EXPECT_EQ(out.back(), 7.0f);
  out.pop_back();
  return out;
}

template <class Check>
void ForHostLevels(Check check) {
  for (const Level& level :
       {Level{"baseline", Isa::kBaseline, tilewright::isa_baseline::SiluAndMulSpan},
        Level{"avx2", Isa::kAvx2, tilewright::isa_avx2::SiluAndMulSpan},
        Level{"avx512", Isa::kAvx512, tilewright::isa_avx512::SiluAndMulSpan}}) {
    if (level.isa <= HostIsa()) check(level);
  }
}

}  // namespace

TW_TEST(silu_and_mul_span_any_level_matches_double_precision) {
  ForHostLevels([](const Level& level) {
    for (int64_t columns : {1, 15, 16, 17, 40001}) {
      std::vector<float> gates(columns);
      for (int64_t i = 0; i < columns; ++i) {
        gates[i] = static_cast<float>(-87.0 + 174.0 * (i + 0.5) / columns);
      }
      const std::vector<float> out = Silu(level, gates);
      double largest = 0;
      for (int64_t i = 0; i < columns; ++i) {
        const double gate = gates[i];
        const double expected = gate / (1 + std::exp(-gate));
        largest = std::fmax(largest, std::fabs(out[i] - expected) / std::fabs(expected));
      }
      const bool close = largest < 5e-7;
      TW_EXPECT_EQ(tilewright::Concat(level.name, " ", columns, ": ", largest, " close ", close),
                   tilewright::Concat(level.name, " ", columns, ": ", largest, " close 1"));
    }
  });
}

TW_TEST(silu_and_mul_span_extreme_gates_have_their_limits) {
  ForHostLevels([](const Level& level) {
    const std::vector<float> out =
        Silu(level, {0.0f, 100.0f, -100.0f, 3e38f, -3e38f, INFINITY, NAN, 1e-40f});
    TW_EXPECT_EQ(out[0], 0.0f);
    TW_EXPECT_EQ(out[1], 100.0f);
    TW_EXPECT_EQ(std::fabs(out[2]) < 1e-36f, true);
    TW_EXPECT_EQ(out[3], 3e38f);
    TW_EXPECT_EQ(out[4], 0.0f);
    TW_EXPECT_EQ(out[5], INFINITY);
    TW_EXPECT_EQ(std::isnan(out[6]), true);
    TW_EXPECT_EQ(std::fabs(out[7]) < 1e-39f, true);
  });
}
