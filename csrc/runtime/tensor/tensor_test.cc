// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// TensorView and the checks on tensors taken together.

#include <cstdint>
#include <vector>

#include "csrc/runtime/tensor/tensor_checks.h"
#include "csrc/runtime/tensor/tensor_view.h"
#include "csrc/testing/test_case.h"

using tilewright::RequireNoOverlap;
using tilewright::RequireSameOrNoOverlap;
using tilewright::RowsView;
using tilewright::TensorView;

namespace {

alignas(16) float memory[256];

// A float32 tensor on the CPU over `memory`, with the arrays that DLTensor only points to.
struct Sample {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  DLTensor tensor = {};

  Sample(std::vector<int64_t> shape_in, std::vector<int64_t> strides_in, int64_t offset = 0)
      : shape(std::move(shape_in)), strides(std::move(strides_in)) {
    tensor.data = memory;
    tensor.byte_offset = offset * sizeof(float);
    tensor.device = {kDLCPU, 0};
    tensor.ndim = static_cast<int32_t>(shape.size());
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape.data();
    tensor.strides = strides.empty() ? nullptr : strides.data();
  }
  Sample(const Sample&) = delete;

  TensorView view(const char* name = "x") const { return TensorView("op", name, &tensor); }
};

void ExpectRows(const Sample& sample, int64_t rows, int64_t columns, int64_t row_stride) {
  const RowsView view = sample.view().rows();
  TW_EXPECT_EQ(view.rows, rows);
  TW_EXPECT_EQ(view.columns, columns);
  TW_EXPECT_EQ(view.row_stride, row_stride);
}

}  // namespace

TW_TEST(rows_contiguous_tensor_collapses) {
  ExpectRows(Sample({2, 3, 4}, {}), 6, 4, 4);
  ExpectRows(Sample({4}, {}), 1, 4, 4);
  ExpectRows(Sample({2, 3, 4}, {12, 4, 1}), 6, 4, 4);
}

TW_TEST(rows_strided_rows_keep_their_stride) {
  ExpectRows(Sample({3, 4}, {10, 1}), 3, 4, 10);
  ExpectRows(Sample({2, 3, 4}, {30, 10, 1}), 6, 4, 10);
  ExpectRows(Sample({3, 4}, {-10, 1}, 100), 3, 4, -10);
}

TW_TEST(rows_dimension_of_one_has_any_stride) {
  ExpectRows(Sample({3, 1, 4}, {10, 999, 1}), 3, 4, 10);
  ExpectRows(Sample({1, 3, 4}, {777, 10, 1}), 3, 4, 10);
  ExpectRows(Sample({3, 1}, {10, 5}), 3, 1, 10);
}

TW_TEST(rows_broadcast_input_has_stride_zero) {
  ExpectRows(Sample({3, 4}, {0, 1}), 3, 4, 0);
  ExpectRows(Sample({2, 3, 4}, {0, 0, 1}), 6, 4, 0);
  TW_EXPECT_ERROR(Sample({2, 3, 4}, {8, 0, 1}).view().rows(), TW_STRIDE, "do not collapse");
}

TW_TEST(rows_unsupported_layout_is_refused) {
  TW_EXPECT_ERROR(Sample({}, {}).view().rows(), TW_SHAPE, "scalar");
  TW_EXPECT_ERROR(Sample({3, 4}, {1, 3}).view().rows(), TW_STRIDE, "strides [1, 3]");
  TW_EXPECT_ERROR(Sample({2, 3, 4}, {40, 10, 1}).view().rows(), TW_STRIDE, "do not collapse");
}

TW_TEST(rows_empty_tensor_needs_no_data) {
  Sample sample({0, 4}, {});
  sample.tensor.data = nullptr;
  ExpectRows(sample, 0, 4, 4);
}

TW_TEST(rows_missing_or_misaligned_data_is_refused) {
  Sample null_data({3, 4}, {});
  null_data.tensor.data = nullptr;
  TW_EXPECT_ERROR(null_data.view().rows(), TW_INVALID_ARGUMENT, "no data");
  Sample odd({3, 4}, {});
  odd.tensor.byte_offset = 2;
  TW_EXPECT_ERROR(odd.view().rows(), TW_INVALID_ARGUMENT, "not aligned");
}

TW_TEST(writable_rows_sharing_memory_are_refused) {
  TW_EXPECT_ERROR(Sample({3, 4}, {0, 1}).view().writable_rows(), TW_STRIDE, "share memory");
  TW_EXPECT_ERROR(Sample({3, 4}, {3, 1}).view().writable_rows(), TW_STRIDE, "share memory");
  TW_EXPECT_EQ(Sample({3, 4}, {4, 1}).view().writable_rows().rows, 3);
}

TW_TEST(view_malformed_tensor_is_refused) {
  TW_EXPECT_ERROR(TensorView("op", "x", nullptr), TW_INVALID_ARGUMENT, "op: `x` is null");
  TW_EXPECT_ERROR(Sample({2, -1}, {}).view(), TW_INVALID_ARGUMENT, "shape [2, -1]");
  TW_EXPECT_ERROR(Sample({int64_t{1} << 40, int64_t{1} << 40}, {}).view(), TW_INVALID_ARGUMENT,
                  "2^63");
}

TW_TEST(element_type_unsupported_is_named) {
  Sample sample({4}, {});
  sample.tensor.dtype = {kDLUInt, 8, 1};
  TW_EXPECT_ERROR(sample.view().element_type(), TW_DTYPE, "`x` is uint8");
  sample.tensor.dtype = {kDLFloat, 32, 4};
  TW_EXPECT_ERROR(sample.view().element_type(), TW_DTYPE, "`x` is float32x4");
}

TW_TEST(device_mixture_is_refused) {
  Sample cpu({4}, {});
  Sample cuda({4}, {});
  cuda.tensor.device = {kDLCUDA, 1};
  const TensorView x = cpu.view("x");
  const TensorView w = cuda.view("w");
  TW_EXPECT_ERROR(tilewright::CommonDevice({&x, &w}), TW_DEVICE, "`x` on cpu and `w` on cuda:1");
  cuda.tensor.device = {kDLCUDAHost, 0};  // pinned memory is the CPU's
  TW_EXPECT_EQ(tilewright::CommonDevice({&x, &w}).is_cuda(), false);
}

TW_TEST(overlap_shared_elements_are_refused) {
  const Sample a({4, 8}, {});
  const Sample later({4, 8}, {}, 8);
  TW_EXPECT_ERROR(RequireNoOverlap(a.view("out"), later.view()), TW_OVERLAP, "`out`");
  TW_EXPECT_ERROR(RequireNoOverlap(a.view("out"), a.view()), TW_OVERLAP, "`out`");
  const Sample reversed({4, 8}, {-8, 1}, 24);
  TW_EXPECT_ERROR(RequireNoOverlap(a.view("out"), reversed.view()), TW_OVERLAP, "`out`");
}

TW_TEST(overlap_separate_memory_is_accepted) {
  const Sample a({4, 8}, {});
  RequireNoOverlap(a.view("out"), Sample({4, 8}, {}, 32).view());
  const Sample empty({0, 8}, {});
  RequireNoOverlap(a.view("out"), empty.view());
}

TW_TEST(overlap_column_ranges_of_one_buffer_are_told_apart) {
  const Sample left({4, 8}, {16, 1});
  RequireNoOverlap(left.view("out"), Sample({4, 8}, {16, 1}, 8).view());
  RequireNoOverlap(Sample({4, 8}, {16, 1}, 8).view("out"), left.view());
  TW_EXPECT_ERROR(RequireNoOverlap(left.view("out"), Sample({4, 8}, {16, 1}, 7).view()), TW_OVERLAP,
                  "`out`");
  // The last columns of a row reach into the first of the next.
  TW_EXPECT_ERROR(RequireNoOverlap(left.view("out"), Sample({3, 8}, {16, 1}, 9).view()), TW_OVERLAP,
                  "`out`");
}

TW_TEST(overlap_single_row_in_the_gaps_of_another_tensor_is_told_apart) {
  const Sample left({4, 8}, {16, 1});
  for (const int64_t stride : {1, 8, 16, 999}) {
    const Sample gap({1, 8}, {stride, 1}, 24);
    RequireNoOverlap(left.view("out"), gap.view());
    RequireNoOverlap(gap.view("out"), left.view());
  }
  RequireNoOverlap(left.view("out"), Sample({8}, {}, 24).view());
  RequireNoOverlap(left.view("out"), Sample({2, 4}, {}, 24).view());      // rows without gaps
  RequireNoOverlap(left.view("out"), Sample({5, 8}, {0, 1}, 24).view());  // one row, broadcast
  for (const int64_t offset : {23, 25}) {
    const Sample row({8}, {}, offset);
    TW_EXPECT_ERROR(RequireNoOverlap(left.view("out"), row.view()), TW_OVERLAP, "`out`");
    TW_EXPECT_ERROR(RequireNoOverlap(row.view("out"), left.view()), TW_OVERLAP, "`out`");
  }
  const Sample wide({40}, {}, 8);
  TW_EXPECT_ERROR(RequireNoOverlap(wide.view("out"), left.view()), TW_OVERLAP, "`out`");
}

TW_TEST(overlap_is_found_exactly_where_an_element_is_shared) {
  for (const int64_t rows : {1, 2, 3}) {
    for (const int64_t columns : {2, 3, 5, 9}) {
      for (const int64_t stride : {-7, -2, 0, 2, 7}) {
        for (int64_t offset = 16; offset < 60; ++offset) {
          bool taken[256] = {};
          for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < columns; ++j) taken[offset + i * stride + j] = true;
          }
          bool shared = false;
          for (const int64_t begin : {30, 37, 44}) {
            for (int64_t j = 0; j < 4; ++j) shared = shared || taken[begin + j];
          }
          const Sample other({rows, columns}, {stride, 1}, offset);
          const Sample out({3, 4}, {7, 1}, 30);
          bool refused = false;
          try {
            RequireNoOverlap(out.view("out"), other.view());
          } catch (const tilewright::Error&) {
            refused = true;
          }
          TW_EXPECT_EQ(refused, shared);
        }
      }
    }
  }
}

TW_TEST(overlap_same_tensor_is_accepted_where_allowed) {
  const Sample a({4, 8}, {});
  RequireSameOrNoOverlap(a.view("out"), a.view());
  TW_EXPECT_ERROR(RequireSameOrNoOverlap(a.view("out"), Sample({4, 8}, {}, 1).view()), TW_OVERLAP,
                  "`out`");
}
