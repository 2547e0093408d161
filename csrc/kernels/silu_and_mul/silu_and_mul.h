// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// silu_and_mul as the CPU and CUDA implementations see it: checked, and flattened to rows. Shared
// with device code and across the edge of the CUDA libraries, so plain data.

#ifndef TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_H_
#define TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_H_

#include <cstdint>

#include "csrc/runtime/tensor/element_type.h"

namespace tilewright {

// Strides count elements. There is at least one row and one column.
struct SiluAndMulParams {
  const void* x;  // a row: `columns` gates, then `columns` factors
  void* out;
  int64_t rows;
  int64_t columns;  // of `out`
  int64_t x_stride;
  int64_t out_stride;
  ElementType type;
  int32_t device;  // CUDA device; unused on the CPU
};

static_assert(sizeof(SiluAndMulParams) == 56, "another layout is another TW_CUDA_LIBRARY_VERSION");

// Of the CUDA libraries: enqueues on `stream` (a cudaStream_t), returns a cudaError_t.
using SiluAndMulLauncher = int (*)(const SiluAndMulParams* params, void* stream);
#define TW_SILU_AND_MUL_LAUNCHER "tw_cuda_silu_and_mul"

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_SILU_AND_MUL_SILU_AND_MUL_H_
