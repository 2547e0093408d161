// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_CPU_H_
#define TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_CPU_H_

#include <cstdint>

#include "csrc/kernels/cpu/isa.h"
#include "csrc/kernels/rms_norm/rms_norm.h"

namespace tilewright {

// Computes the rows [begin, end); with a residual, adds first. Sums and products are in float32,
// results are rounded once, as in the CUDA kernels.
TW_DECLARE_FOR_EACH_ISA(void RmsNormRows(const RmsNormParams& params, int64_t begin, int64_t end))

// All rows, on all threads, for the instruction set of the host.
void RmsNormOnCpu(const RmsNormParams& params);

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_CPU_H_
