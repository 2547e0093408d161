// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/silu_and_mul/silu_and_mul.h"

#include "csrc/kernels/silu_and_mul/silu_and_mul_cpu.h"
#include "csrc/runtime/check.h"
#include "csrc/runtime/error.h"
#include "csrc/runtime/loading/cuda_library.h"
#include "csrc/runtime/stream_view.h"
#include "csrc/runtime/tensor/tensor_checks.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

constexpr const char* kOperation = "silu_and_mul";

void RequireHalvedShape(const TensorView& x, const TensorView& out) {
  const int32_t last = x.rank() - 1;
  TW_CHECK(x.size(last) % 2 == 0, TW_SHAPE, kOperation, ": the last dimension of `x` is ",
           x.size(last), " (shape ", x.shape_text(), "), expected an even number");
  bool fits = out.rank() == x.rank() && out.size(last) == x.size(last) / 2;
  for (int32_t i = 0; fits && i < last; ++i) fits = out.size(i) == x.size(i);
  TW_CHECK(fits, TW_SHAPE, kOperation, ": `out` has shape ", out.shape_text(),
           ", expected that of `x`, ", x.shape_text(), ", with the last dimension halved");
}

void SiluAndMul(const TensorView& x, const TensorView& out, StreamView stream) {
  const Device device = CommonDevice({&x, &out});
  const ElementType type = CommonElementType({&x, &out});
  const RowsView x_rows = x.rows();
  const RowsView out_rows = out.writable_rows();
  RequireHalvedShape(x, out);
  RequireNoOverlap(out, x);
  if (out.empty()) return;

  const SiluAndMulParams params = {
      x_rows.data,       out_rows.data,       x_rows.rows, out_rows.columns,
      x_rows.row_stride, out_rows.row_stride, type,        device.index};
  if (!device.is_cuda()) return SiluAndMulOnCpu(params);
  const CudaLibrary& cuda = CudaLibrary::Get();
  static const auto launch = cuda.function<SiluAndMulLauncher>(TW_SILU_AND_MUL_LAUNCHER);
  TW_CHECK_CUDA(cuda, kOperation, launch(&params, stream.handle()));
}

}  // namespace
}  // namespace tilewright

extern "C" TwStatus tw_silu_and_mul(const DLTensor* x, DLTensor* out, TwStream stream) {
  using namespace tilewright;
  return Guard(
      [&] { SiluAndMul({kOperation, "x", x}, {kOperation, "out", out}, StreamView(stream)); });
}
