// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/tensor/tensor_checks.h"

#include <cstdint>

#include "csrc/runtime/check.h"

namespace tilewright {
namespace {

// Rows of bytes, normalised to ascending addresses. Rows without gaps between them are one row.
struct ByteRows {
  uintptr_t begin;  // of the lowest row
  uintptr_t end;    // past the highest row
  int64_t stride;   // > width; 0 of a single row
  int64_t width;
};

ByteRows ToByteRows(const TensorView& tensor) {
  const RowsView rows = tensor.rows();
  const int64_t item_size = SizeInBytes(tensor.element_type());
  const int64_t step = rows.row_stride * item_size;
  const int64_t width = rows.columns * item_size;
  const auto first = reinterpret_cast<uintptr_t>(rows.data);
  const uintptr_t last = first + (rows.rows - 1) * step;
  const uintptr_t begin = step >= 0 ? first : last;
  const uintptr_t end = (step >= 0 ? last : first) + width;
  const int64_t stride = step >= 0 ? step : -step;
  if (rows.rows == 1 || stride <= width) return {begin, end, 0, static_cast<int64_t>(end - begin)};
  return {begin, end, stride, width};
}

bool Overlaps(const TensorView& a_tensor, const TensorView& b_tensor) {
  if (a_tensor.empty() || b_tensor.empty()) return false;
  const ByteRows a = ToByteRows(a_tensor);
  const ByteRows b = ToByteRows(b_tensor);
  if (a.end <= b.begin || b.end <= a.begin) return false;
  const int64_t stride = a.stride != 0 ? a.stride : b.stride;
  if (stride == 0 || (b.stride != 0 && b.stride != stride)) return true;
  // Where a's columns begin within b's rows. Disjoint if they start after b's columns and end
  // before b's next row.
  int64_t offset = static_cast<int64_t>(a.begin - b.begin) % stride;
  if (offset < 0) offset += stride;
  return offset < b.width || offset + a.width > stride;
}

bool IsSameMemory(const TensorView& a, const TensorView& b) {
  const RowsView a_rows = a.rows();
  const RowsView b_rows = b.rows();
  return a_rows.data == b_rows.data && a_rows.rows == b_rows.rows &&
         a_rows.columns == b_rows.columns &&
         (a_rows.rows == 1 || a_rows.row_stride == b_rows.row_stride) &&
         a.element_type() == b.element_type();
}

[[noreturn]] void ThrowOverlap(const TensorView& written, const TensorView& other,
                               const char* allowed) {
  throw Error(TW_OVERLAP, Concat(written.operation(), ": `", written.name(), "` (shape ",
                                 written.shape_text(), ", strides ", written.strides_text(),
                                 ") overlaps `", other.name(), "` (shape ", other.shape_text(),
                                 ", strides ", other.strides_text(), ")", "\nhint: ", allowed));
}

}  // namespace

Device CommonDevice(std::initializer_list<const TensorView*> tensors) {
  const TensorView& first = **tensors.begin();
  const Device device = first.device();
  for (const TensorView* tensor : tensors) {
    TW_CHECK(tensor->device() == device, TW_DEVICE, first.operation(),
             ": tensors must be on one device, got `", first.name(), "` on ", first.device_name(),
             " and `", tensor->name(), "` on ", tensor->device_name());
  }
  return device;
}

ElementType CommonElementType(std::initializer_list<const TensorView*> tensors) {
  const TensorView& first = **tensors.begin();
  const ElementType type = first.element_type();
  for (const TensorView* tensor : tensors) {
    TW_CHECK(tensor->element_type() == type, TW_DTYPE, first.operation(), ": `", tensor->name(),
             "` must have the dtype of `", first.name(), "`, got ", tensor->dtype_name(), " and ",
             first.dtype_name());
  }
  return type;
}

void RequireSameShape(const TensorView& expected, const TensorView& actual) {
  bool same = expected.rank() == actual.rank();
  for (int32_t i = 0; same && i < expected.rank(); ++i) same = expected.size(i) == actual.size(i);
  TW_CHECK(same, TW_SHAPE, actual.operation(), ": `", actual.name(), "` must have the shape of `",
           expected.name(), "`, ", expected.shape_text(), ", got ", actual.shape_text());
}

void RequireNoOverlap(const TensorView& written, const TensorView& other) {
  if (Overlaps(written, other)) {
    ThrowOverlap(written, other, "give it memory of its own");
  }
}

void RequireSameOrNoOverlap(const TensorView& written, const TensorView& other) {
  if (Overlaps(written, other) && !IsSameMemory(written, other)) {
    ThrowOverlap(written, other, "give it memory of its own, or exactly the same tensor");
  }
}

}  // namespace tilewright
