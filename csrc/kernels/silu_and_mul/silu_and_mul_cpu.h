// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_CPU_H_
#define TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_CPU_H_

#include <cstdint>

#include "csrc/kernels/cpu/isa.h"
#include "csrc/kernels/silu_and_mul/silu_and_mul.h"

namespace tilewright {

// Computes the columns [begin, end) of one row. Arithmetic is in float32, results are rounded once,
// as in the CUDA kernels.
TW_DECLARE_FOR_EACH_ISA(void SiluAndMulSpan(const SiluAndMulParams& params, int64_t row,
                                            int64_t begin, int64_t end))

// Everything, on all threads, for the instruction set of the host.
void SiluAndMulOnCpu(const SiluAndMulParams& params);

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_CPU_H_
