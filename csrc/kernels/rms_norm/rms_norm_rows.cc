// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each instruction set; see csrc/kernels/cpu/isa.bzl.

#include "csrc/kernels/cpu/lanes.h"
#include "csrc/kernels/rms_norm/rms_norm.h"

namespace tilewright {
namespace TW_ISA {

// What is normalised. `First` is called once for each element, in order, and what it returns is
// summed; `Again` then gives the same values for scaling.
template <class Element>
struct PlainInput {
  const Element* x;

  TW_INLINE Lanes First(int64_t i) const { return Load(x + i); }
  TW_INLINE Lanes FirstPart(int64_t i, int64_t count) const { return LoadPart(x + i, count); }
  TW_INLINE Lanes Again(int64_t i) const { return Load(x + i); }
  TW_INLINE Lanes AgainPart(int64_t i, int64_t count) const { return LoadPart(x + i, count); }
};

// Stores the sum in the residual, and continues with what was stored.
template <class Element>
struct AddedInput {
  const Element* x;
  Element* residual;

  TW_INLINE Lanes First(int64_t i) const {
    Store(residual + i, Load(x + i) + Load(residual + i));
    return Load(residual + i);
  }
  TW_INLINE Lanes FirstPart(int64_t i, int64_t count) const {
    StorePart(residual + i, LoadPart(x + i, count) + LoadPart(residual + i, count), count);
    return LoadPart(residual + i, count);
  }
  TW_INLINE Lanes Again(int64_t i) const { return Load(residual + i); }
  TW_INLINE Lanes AgainPart(int64_t i, int64_t count) const {
    return LoadPart(residual + i, count);
  }
};

template <class Input, class Element, class Weight>
TW_INLINE void RmsNormRow(Input input, const Weight* weight, Element* out, int64_t columns,
                          float epsilon) {
  // Two sums: enough independent additions to hide their latency.
  Lanes squares[2] = {};
  int64_t i = 0;
  for (; i + 2 * kLanes <= columns; i += 2 * kLanes) {
    const Lanes a = input.First(i);
    const Lanes b = input.First(i + kLanes);
    squares[0] += a * a;
    squares[1] += b * b;
  }
  if (i + kLanes <= columns) {
    const Lanes a = input.First(i);
    squares[0] += a * a;
    i += kLanes;
  }
  if (i < columns) {
    const Lanes a = input.FirstPart(i, columns - i);
    squares[1] += a * a;
  }
  const float mean = Sum(squares[0] + squares[1]) / static_cast<float>(columns);
  const float scale = 1.0f / __builtin_sqrtf(mean + epsilon);

  for (i = 0; i + kLanes <= columns; i += kLanes) {
    Store(out + i, input.Again(i) * scale * Load(weight + i));
  }
  if (i < columns) {
    const int64_t rest = columns - i;
    StorePart(out + i, input.AgainPart(i, rest) * scale * LoadPart(weight + i, rest), rest);
  }
}

template <class Element, class Weight>
TW_INLINE void Rows(const RmsNormParams& p, int64_t begin, int64_t end) {
  const auto* weight = static_cast<const Weight*>(p.weight);
  for (int64_t row = begin; row < end; ++row) {
    const auto* x = static_cast<const Element*>(p.x) + row * p.x_stride;
    auto* out = static_cast<Element*>(p.out) + row * p.out_stride;
    if (p.residual == nullptr) {
      RmsNormRow(PlainInput<Element>{x}, weight, out, p.columns, p.epsilon);
    } else {
      auto* residual = static_cast<Element*>(p.residual) + row * p.residual_stride;
      RmsNormRow(AddedInput<Element>{x, residual}, weight, out, p.columns, p.epsilon);
    }
  }
}

void RmsNormRows(const RmsNormParams& p, int64_t begin, int64_t end) {
  const bool float_weight = p.weight_type == ElementType::kFloat32;
  switch (p.type) {
    case ElementType::kFloat32:
      return Rows<float, float>(p, begin, end);
    case ElementType::kFloat16:
      return float_weight ? Rows<Float16, float>(p, begin, end)
                          : Rows<Float16, Float16>(p, begin, end);
    case ElementType::kBFloat16:
      return float_weight ? Rows<BFloat16, float>(p, begin, end)
                          : Rows<BFloat16, BFloat16>(p, begin, end);
  }
}

}  // namespace TW_ISA
}  // namespace tilewright
