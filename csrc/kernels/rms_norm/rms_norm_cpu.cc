// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/rms_norm/rms_norm_cpu.h"

#include "csrc/runtime/parallel_for.h"

namespace tilewright {
namespace {

// Below this many elements, waking a thread costs more than it saves.
constexpr int64_t kElementsPerThread = 32 * 1024;

}  // namespace

void RmsNormOnCpu(const RmsNormParams& params) {
  static const auto compute_rows = TW_FOR_HOST_ISA(RmsNormRows);
  ParallelFor(params.rows, kElementsPerThread / params.columns + 1,
              [&](int64_t begin, int64_t end) { compute_rows(params, begin, end); });
}

}  // namespace tilewright
