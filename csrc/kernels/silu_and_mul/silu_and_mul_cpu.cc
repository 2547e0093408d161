// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/silu_and_mul/silu_and_mul_cpu.h"

#include <algorithm>

#include "csrc/runtime/parallel_for.h"

namespace tilewright {
namespace {

// Rows are cut into spans of this many columns, so that one long row is shared among threads.
constexpr int64_t kSpan = 8 * 1024;
// Below this many elements, waking a thread costs more than it saves.
constexpr int64_t kElementsPerThread = 16 * 1024;

}  // namespace

void SiluAndMulOnCpu(const SiluAndMulParams& params) {
  static const auto compute_span = TW_FOR_HOST_ISA(SiluAndMulSpan);
  const int64_t spans_per_row = (params.columns + kSpan - 1) / kSpan;
  const int64_t grain = kElementsPerThread / std::min(params.columns, kSpan) + 1;
  ParallelFor(params.rows * spans_per_row, grain, [&](int64_t first, int64_t last) {
    for (int64_t span = first; span < last; ++span) {
      const int64_t begin = span % spans_per_row * kSpan;
      compute_span(params, span / spans_per_row, begin, std::min(begin + kSpan, params.columns));
    }
  });
}

}  // namespace tilewright
