// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// rms_norm and add_rms_norm as the CPU and CUDA implementations see them: checked, and flattened to
// rows. Shared with device code and across the edge of the CUDA libraries, so plain data.

#ifndef TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_H_
#define TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_H_

#include <cstdint>

#include "csrc/runtime/tensor/element_type.h"

namespace tilewright {

// Strides count elements. There is at least one row and one column.
struct RmsNormParams {
  const void* x;
  void* residual;  // add_rms_norm: updated to x + residual, which is then normalised; else null
  const void* weight;
  void* out;  // may be `x`
  int64_t rows;
  int64_t columns;
  int64_t x_stride;
  int64_t residual_stride;
  int64_t out_stride;
  float epsilon;
  ElementType type;         // of x, residual and out
  ElementType weight_type;  // `type` or float32
  int32_t device;           // CUDA device; unused on the CPU
};

static_assert(sizeof(RmsNormParams) == 88, "another layout is another TW_CUDA_LIBRARY_VERSION");

// Of the CUDA libraries: enqueues on `stream` (a cudaStream_t), returns a cudaError_t.
using RmsNormLauncher = int (*)(const RmsNormParams* params, void* stream);
#define TW_RMS_NORM_LAUNCHER "tw_cuda_rms_norm"
#define TW_ADD_RMS_NORM_LAUNCHER "tw_cuda_add_rms_norm"

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_H_
