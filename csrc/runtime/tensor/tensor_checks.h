// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// What operators require of their arguments taken together.

#ifndef TILEWRIGHT_RUNTIME_TENSOR_TENSOR_CHECKS_H_
#define TILEWRIGHT_RUNTIME_TENSOR_TENSOR_CHECKS_H_

#include <initializer_list>

#include "csrc/runtime/tensor/tensor_view.h"

namespace tilewright {

// The device all tensors are on; TW_DEVICE when they differ.
Device CommonDevice(std::initializer_list<const TensorView*> tensors);

// The element type all tensors have; TW_DTYPE when they differ.
ElementType CommonElementType(std::initializer_list<const TensorView*> tensors);

// TW_SHAPE unless both have the same shape.
void RequireSameShape(const TensorView& expected, const TensorView& actual);

// TW_OVERLAP when `written` shares memory with `other`. By address range where both have gaps
// between their rows and the row strides differ; exact otherwise (two column ranges of one buffer,
// or one of them and a single row, are told apart).
void RequireNoOverlap(const TensorView& written, const TensorView& other);

// The same, but lets `written` be exactly `other`: same memory, same layout.
void RequireSameOrNoOverlap(const TensorView& written, const TensorView& other);

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_TENSOR_TENSOR_CHECKS_H_
