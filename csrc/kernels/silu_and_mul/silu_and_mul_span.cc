// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each instruction set; see csrc/kernels/cpu/isa.bzl.

#include "csrc/kernels/cpu/lanes.h"
#include "csrc/kernels/silu_and_mul/silu_and_mul.h"

namespace tilewright {
namespace TW_ISA {

TW_INLINE Lanes SiluAndMul(Lanes gate, Lanes factor) { return gate / (Exp(-gate) + 1.0f) * factor; }

template <class Element>
TW_INLINE void Span(const SiluAndMulParams& p, int64_t row, int64_t begin, int64_t end) {
  const auto* gates = static_cast<const Element*>(p.x) + row * p.x_stride;
  const auto* factors = gates + p.columns;
  auto* out = static_cast<Element*>(p.out) + row * p.out_stride;
  int64_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    Store(out + i, SiluAndMul(Load(gates + i), Load(factors + i)));
  }
  if (i < end) {
    const int64_t rest = end - i;
    StorePart(out + i, SiluAndMul(LoadPart(gates + i, rest), LoadPart(factors + i, rest)), rest);
  }
}

void SiluAndMulSpan(const SiluAndMulParams& p, int64_t row, int64_t begin, int64_t end) {
  switch (p.type) {
    case ElementType::kFloat32:
      return Span<float>(p, row, begin, end);
    case ElementType::kFloat16:
      return Span<Float16>(p, row, begin, end);
    case ElementType::kBFloat16:
      return Span<BFloat16>(p, row, begin, end);
  }
}

}  // namespace TW_ISA
}  // namespace tilewright
