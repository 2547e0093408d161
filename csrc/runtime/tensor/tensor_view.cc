// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/tensor/tensor_view.h"

#include <cstdlib>
#include <optional>

#include "csrc/runtime/check.h"

namespace tilewright {
namespace {

constexpr const char* kContiguousHint =
    "\nhint: pass a contiguous copy, such as `x.contiguous()` or `numpy.ascontiguousarray(x)`";

std::optional<ElementType> ToElementType(DLDataType dtype) {
  if (dtype.lanes != 1) return std::nullopt;
  if (dtype.code == kDLFloat && dtype.bits == 32) return ElementType::kFloat32;
  if (dtype.code == kDLFloat && dtype.bits == 16) return ElementType::kFloat16;
  if (dtype.code == kDLBfloat && dtype.bits == 16) return ElementType::kBFloat16;
  return std::nullopt;
}

template <class Get>
std::string ListText(int32_t count, Get get) {
  std::string text = "[";
  for (int32_t i = 0; i < count; ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(get(i));
  }
  return text + "]";
}

}  // namespace

TensorView::TensorView(const char* operation, const char* name, const DLTensor* tensor)
    : operation_(operation), name_(name), tensor_(tensor), element_count_(1) {
  TW_CHECK(tensor != nullptr, TW_INVALID_ARGUMENT, operation, ": `", name, "` is null");
  TW_CHECK(tensor->ndim >= 0 && (tensor->ndim == 0 || tensor->shape != nullptr),
           TW_INVALID_ARGUMENT, operation, ": `", name, "` is malformed: rank ", tensor->ndim,
           tensor->shape == nullptr ? ", no shape" : "");
  for (int32_t i = 0; i < tensor->ndim; ++i) {
    TW_CHECK(tensor->shape[i] >= 0, TW_INVALID_ARGUMENT, operation, ": `", name,
             "` has a negative size, shape ", shape_text());
  }
  for (int32_t i = 0; i < tensor->ndim; ++i) {
    if (tensor->shape[i] == 0) {
      element_count_ = 0;
      return;
    }
  }
  for (int32_t i = 0; i < tensor->ndim; ++i) {
    TW_CHECK(!__builtin_mul_overflow(element_count_, tensor->shape[i], &element_count_),
             TW_INVALID_ARGUMENT, operation, ": `", name, "` has more than 2^63 elements, shape ",
             shape_text());
  }
}

int64_t TensorView::stride(int32_t dimension) const {
  if (tensor_->strides != nullptr) return tensor_->strides[dimension];
  int64_t stride = 1;
  for (int32_t i = rank() - 1; i > dimension; --i) stride *= tensor_->shape[i];
  return stride;
}

ElementType TensorView::element_type() const {
  const std::optional<ElementType> type = ToElementType(tensor_->dtype);
  TW_CHECK(type.has_value(), TW_DTYPE, operation_, ": `", name_, "` is ", dtype_name(),
           ", expected float32, float16 or bfloat16");
  return *type;
}

Device TensorView::device() const {
  switch (static_cast<int32_t>(tensor_->device.device_type)) {
    case kDLCPU:
    case kDLCUDAHost:
      return {Device::Kind::kCpu, 0};
    case kDLCUDA:
    case kDLCUDAManaged:
      return {Device::Kind::kCuda, tensor_->device.device_id};
    default:
      throw Error(TW_DEVICE, Concat(operation_, ": `", name_, "` is on ", device_name(),
                                    ", expected the CPU or a CUDA device"));
  }
}

RowsView TensorView::rows() const {
  TW_CHECK(rank() >= 1, TW_SHAPE, operation_, ": `", name_,
           "` is a scalar (rank 0), expected at least one dimension");
  RowsView view{data(), 0, size(rank() - 1), size(rank() - 1)};
  if (empty()) return view;

  const int64_t item_size = SizeInBytes(element_type());
  TW_CHECK(tensor_->data != nullptr, TW_INVALID_ARGUMENT, operation_, ": `", name_, "` has shape ",
           shape_text(), " but no data");
  TW_CHECK(reinterpret_cast<uintptr_t>(data()) % item_size == 0, TW_INVALID_ARGUMENT, operation_,
           ": the data of `", name_, "` is not aligned to its elements of ", item_size, " bytes");
  TW_CHECK(view.columns == 1 || stride(rank() - 1) == 1, TW_STRIDE, operation_, ": `", name_,
           "` has strides ", strides_text(), " for shape ", shape_text(),
           ", expected stride 1 in the last dimension", kContiguousHint);

  view.rows = element_count() / view.columns;
  int64_t outer_stride = 0;  // what the next dimension outwards must have to collapse; 0: none yet
  for (int32_t i = rank() - 2; i >= 0; --i) {
    if (size(i) == 1) continue;
    if (outer_stride == 0) {
      view.row_stride = stride(i);
    } else {
      TW_CHECK(stride(i) == outer_stride, TW_STRIDE, operation_, ": `", name_, "` has strides ",
               strides_text(), " for shape ", shape_text(),
               ", its leading dimensions do not collapse into one row stride", kContiguousHint);
    }
    // A broadcast dimension (stride 0) collapses only with another one.
    outer_stride = stride(i) * size(i);
    if (outer_stride == 0) {
      for (int32_t j = i - 1; j >= 0; --j) {
        TW_CHECK(size(j) == 1 || stride(j) == 0, TW_STRIDE, operation_, ": `", name_,
                 "` has strides ", strides_text(), " for shape ", shape_text(),
                 ", its leading dimensions do not collapse into one row stride", kContiguousHint);
      }
      break;
    }
  }
  return view;
}

RowsView TensorView::writable_rows() const {
  const RowsView view = rows();
  TW_CHECK(view.rows <= 1 || std::abs(view.row_stride) >= view.columns, TW_STRIDE, operation_,
           ": `", name_, "` is written but its rows share memory: strides ", strides_text(),
           " for shape ", shape_text(), kContiguousHint);
  return view;
}

std::string TensorView::dtype_name() const {
  const DLDataType dtype = tensor_->dtype;
  std::string name;
  switch (dtype.code) {
    case kDLInt:
      name = Concat("int", static_cast<int>(dtype.bits));
      break;
    case kDLUInt:
      name = Concat("uint", static_cast<int>(dtype.bits));
      break;
    case kDLFloat:
      name = Concat("float", static_cast<int>(dtype.bits));
      break;
    case kDLBfloat:
      name = Concat("bfloat", static_cast<int>(dtype.bits));
      break;
    case kDLComplex:
      name = Concat("complex", static_cast<int>(dtype.bits));
      break;
    case kDLBool:
      name = "bool";
      break;
    case kDLFloat8_e4m3fn:
      name = "float8_e4m3fn";
      break;
    case kDLFloat8_e5m2:
      name = "float8_e5m2";
      break;
    default:
      name = Concat("DLPack type code ", static_cast<int>(dtype.code), " of ",
                    static_cast<int>(dtype.bits), " bits");
  }
  return dtype.lanes == 1 ? name : Concat(name, "x", static_cast<int>(dtype.lanes));
}

std::string TensorView::shape_text() const {
  return ListText(rank(), [this](int32_t i) { return size(i); });
}

std::string TensorView::strides_text() const {
  return ListText(rank(), [this](int32_t i) { return stride(i); });
}

}  // namespace tilewright
