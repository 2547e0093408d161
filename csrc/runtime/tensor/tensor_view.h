// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_TENSOR_TENSOR_VIEW_H_
#define TILEWRIGHT_RUNTIME_TENSOR_TENSOR_VIEW_H_

#include <cstdint>
#include <string>

#include "csrc/runtime/tensor/device.h"
#include "csrc/runtime/tensor/element_type.h"
#include "tilewright/dlpack.h"

namespace tilewright {

// A tensor seen as a matrix of rows with contiguous elements. `row_stride` counts elements; it may
// be 0 or negative for an input, and is `columns` when there is at most one row.
struct RowsView {
  char* data;
  int64_t rows;
  int64_t columns;
  int64_t row_stride;
};

// A named argument of an operator: borrows the DLTensor and its memory, and knows how to speak of
// itself in messages. Every member that throws says the operator, the argument and the values.
class TensorView {
 public:
  // `operation` and `name` must outlive the view (string literals). Throws Error:
  // TW_INVALID_ARGUMENT for a null or malformed tensor.
  TensorView(const char* operation, const char* name, const DLTensor* tensor);

  const char* operation() const { return operation_; }
  const char* name() const { return name_; }
  int32_t rank() const { return tensor_->ndim; }
  int64_t size(int32_t dimension) const { return tensor_->shape[dimension]; }
  int64_t stride(int32_t dimension) const;
  int64_t element_count() const { return element_count_; }
  bool empty() const { return element_count_ == 0; }

  // The first element.
  char* data() const { return static_cast<char*>(tensor_->data) + tensor_->byte_offset; }

  // TW_DTYPE unless float32, float16 or bfloat16.
  ElementType element_type() const;

  // TW_DEVICE unless CPU, pinned host, CUDA or CUDA managed memory.
  Device device() const;

  // TW_SHAPE for rank 0, TW_STRIDE when the last dimension is strided or the leading ones do not
  // collapse into one row stride, TW_INVALID_ARGUMENT for null or misaligned data.
  RowsView rows() const;

  // The same, and TW_STRIDE when rows share memory: what an operator writes must not alias itself.
  RowsView writable_rows() const;

  std::string dtype_name() const;    // "float16", "uint8", "complex64"
  std::string shape_text() const;    // "[2, 3]"
  std::string strides_text() const;  // "[3, 1]", counting elements
  std::string device_name() const { return DeviceName(tensor_->device); }

 private:
  const char* operation_;
  const char* name_;
  const DLTensor* tensor_;
  int64_t element_count_;
};

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_TENSOR_TENSOR_VIEW_H_
