// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_ARGUMENTS_H_
#define TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_ARGUMENTS_H_

#include "csrc/kernels/rms_norm/rms_norm.h"
#include "csrc/runtime/tensor/tensor_view.h"

namespace tilewright {

// Checks what rms_norm and add_rms_norm have in common, throwing Error: the dtypes and shapes of
// `x` and `weight`, and that `epsilon` is finite and not negative. Fills in all of the parameters
// but the residual, the output and the device.
RmsNormParams CheckNormArguments(const TensorView& x, const TensorView& weight, double epsilon);

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_RMS_NORM_RMS_NORM_ARGUMENTS_H_
