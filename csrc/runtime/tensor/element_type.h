// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The element types that operators compute with. Also included by device code.

#ifndef TILEWRIGHT_RUNTIME_TENSOR_ELEMENT_TYPE_H_
#define TILEWRIGHT_RUNTIME_TENSOR_ELEMENT_TYPE_H_

#include <cstdint>

namespace tilewright {

enum class ElementType : int32_t { kFloat32 = 0, kFloat16 = 1, kBFloat16 = 2 };

constexpr int64_t SizeInBytes(ElementType type) { return type == ElementType::kFloat32 ? 4 : 2; }

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_TENSOR_ELEMENT_TYPE_H_
