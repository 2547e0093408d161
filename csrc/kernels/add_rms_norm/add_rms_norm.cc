// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/rms_norm/rms_norm.h"
#include "csrc/kernels/rms_norm/rms_norm_arguments.h"
#include "csrc/kernels/rms_norm/rms_norm_cpu.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/loading/cuda_library.h"
#include "csrc/runtime/stream_view.h"
#include "csrc/runtime/tensor/tensor_checks.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

constexpr const char* kOperation = "add_rms_norm";

void AddRmsNorm(const TensorView& x, const TensorView& residual, const TensorView& weight,
                double epsilon, StreamView stream) {
  const Device device = CommonDevice({&x, &residual, &weight});
  RmsNormParams params = CheckNormArguments(x, weight, epsilon);
  CommonElementType({&x, &residual});
  RequireSameShape(x, residual);
  const RowsView x_rows = x.writable_rows();
  const RowsView residual_rows = residual.writable_rows();
  RequireNoOverlap(residual, x);
  RequireNoOverlap(x, weight);
  RequireNoOverlap(residual, weight);
  if (x.empty()) return;

  params.residual = residual_rows.data;
  params.residual_stride = residual_rows.row_stride;
  params.out = x_rows.data;
  params.out_stride = x_rows.row_stride;
  if (!device.is_cuda()) return RmsNormOnCpu(params);
  params.device = device.index;
  const CudaLibrary& cuda = CudaLibrary::Get();
  static const auto launch = cuda.function<RmsNormLauncher>(TW_ADD_RMS_NORM_LAUNCHER);
  TW_CHECK_CUDA(cuda, kOperation, launch(&params, stream.handle()));
}

}  // namespace
}  // namespace tilewright

extern "C" TwStatus tw_add_rms_norm(DLTensor* x, DLTensor* residual, const DLTensor* weight,
                                    double eps, TwStream stream) {
  using namespace tilewright;
  return Guard([&] {
    AddRmsNorm({kOperation, "x", x}, {kOperation, "residual", residual},
               {kOperation, "weight", weight}, eps, StreamView(stream));
  });
}
