// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/rms_norm/rms_norm_arguments.h"

#include <cmath>

#include "csrc/runtime/check.h"

namespace tilewright {

RmsNormParams CheckNormArguments(const TensorView& x, const TensorView& weight, double epsilon) {
  RmsNormParams params = {};
  params.type = x.element_type();
  params.weight_type = weight.element_type();
  TW_CHECK(params.weight_type == params.type || params.weight_type == ElementType::kFloat32,
           TW_DTYPE, x.operation(), ": `", weight.name(), "` is ", weight.dtype_name(),
           ", expected ", x.dtype_name(), ", the dtype of `", x.name(), "`",
           params.type == ElementType::kFloat32 ? "" : ", or float32");

  const RowsView x_rows = x.rows();
  TW_CHECK(weight.rank() == 1 && weight.size(0) == x_rows.columns, TW_SHAPE, x.operation(), ": `",
           weight.name(), "` has shape ", weight.shape_text(), ", expected [", x_rows.columns,
           "], the last dimension of `", x.name(), "` ", x.shape_text());
  TW_CHECK(std::isfinite(epsilon) && epsilon >= 0, TW_INVALID_ARGUMENT, x.operation(),
           ": `eps` is ", epsilon, ", expected a finite number of at least 0");

  params.x = x_rows.data;
  params.x_stride = x_rows.row_stride;
  params.rows = x_rows.rows;
  params.columns = x_rows.columns;
  params.weight = weight.rows().data;
  params.epsilon = static_cast<float>(epsilon);
  return params;
}

}  // namespace tilewright
