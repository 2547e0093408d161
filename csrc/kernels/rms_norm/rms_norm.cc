// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/rms_norm/rms_norm.h"

#include <initializer_list>

#include "csrc/kernels/rms_norm/rms_norm_arguments.h"
#include "csrc/kernels/rms_norm/rms_norm_cpu.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/loading/cuda_library.h"
#include "csrc/runtime/stream_view.h"
#include "csrc/runtime/tensor/tensor_checks.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

constexpr const char* kOperation = "rms_norm";

void RmsNorm(const TensorView& x, const TensorView& weight, double epsilon, const TensorView& out,
             StreamView stream) {
  const Device device = CommonDevice({&x, &weight, &out});
  RmsNormParams params = CheckNormArguments(x, weight, epsilon);
  CommonElementType({&x, &out});
  RequireSameShape(x, out);
  const RowsView out_rows = out.writable_rows();
  RequireSameOrNoOverlap(out, x);
  RequireNoOverlap(out, weight);
  if (x.empty()) return;

  params.out = out_rows.data;
  params.out_stride = out_rows.row_stride;
  if (!device.is_cuda()) return RmsNormOnCpu(params);
  params.device = device.index;
  const CudaLibrary& cuda = CudaLibrary::Get();
  static const auto launch = cuda.function<RmsNormLauncher>(TW_RMS_NORM_LAUNCHER);
  TW_CHECK_CUDA(cuda, kOperation, launch(&params, stream.handle()));
}

}  // namespace
}  // namespace tilewright

extern "C" TwStatus tw_rms_norm(const DLTensor* x, const DLTensor* weight, double eps,
                                DLTensor* out, TwStream stream) {
  using namespace tilewright;
  return Guard([&] {
    RmsNorm({kOperation, "x", x}, {kOperation, "weight", weight}, eps, {kOperation, "out", out},
            StreamView(stream));
  });
}
