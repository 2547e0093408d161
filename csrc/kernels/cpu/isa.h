// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// The choice of the instruction set for CPU kernels. Their sources are compiled once for each level
// (see isa.bzl), the code of a level in a namespace of its own.

#ifndef TILEWRIGHT_KERNELS_CPU_ISA_H_
#define TILEWRIGHT_KERNELS_CPU_ISA_H_

namespace tilewright {

enum class Isa { kBaseline, kAvx2, kAvx512 };

// The best level that this processor and operating system support. The same at every call.
Isa HostIsa();

// Declares `signature`, a function declaration with the name in place, once for each level.
#define TW_DECLARE_FOR_EACH_ISA(signature) \
  namespace isa_baseline {                 \
  signature;                               \
  }                                        \
  namespace isa_avx2 {                     \
  signature;                               \
  }                                        \
  namespace isa_avx512 {                   \
  signature;                               \
  }

// A pointer to the function `name` of the host's level.
#define TW_FOR_HOST_ISA(name)                                                \
  (::tilewright::HostIsa() == ::tilewright::Isa::kAvx512 ? &isa_avx512::name \
   : ::tilewright::HostIsa() == ::tilewright::Isa::kAvx2 ? &isa_avx2::name   \
                                                         : &isa_baseline::name)

}  // namespace tilewright

#endif  // TILEWRIGHT_KERNELS_CPU_ISA_H_
