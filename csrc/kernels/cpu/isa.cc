// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/cpu/isa.h"

#include <cpuid.h>
#include <cstdint>
#include <string>

#include "csrc/runtime/error.h"
#include "csrc/runtime/json_writer.h"
#include "csrc/runtime/parallel_for.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

// Extended control register 0: which register files the operating system saves.
uint64_t SavedState() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<uint64_t>(high) << 32) | low;
}

// Asked of the processor directly, not by __builtin_cpu_supports: that needs a compiler's runtime
// library to have been initialised. Bits as in Intel's manual, volume 2A, CPUID.
Isa DetectIsa() {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return Isa::kBaseline;
  constexpr uint32_t kFma = 1u << 12, kOsxsave = 1u << 27, kAvx = 1u << 28, kF16c = 1u << 29;
  constexpr uint32_t kNeeded = kFma | kOsxsave | kAvx | kF16c;
  constexpr uint64_t kYmmState = 0x6, kZmmState = 0xe6;
  if ((c & kNeeded) != kNeeded || (SavedState() & kYmmState) != kYmmState) return Isa::kBaseline;

  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return Isa::kBaseline;
  constexpr uint32_t kAvx2 = 1u << 5;
  if ((b & kAvx2) == 0) return Isa::kBaseline;
  constexpr uint32_t kAvx512f = 1u << 16, kAvx512dq = 1u << 17;
  constexpr uint32_t kAvx512bw = 1u << 30, kAvx512vl = 1u << 31;
  constexpr uint32_t kAvx512 = kAvx512f | kAvx512dq | kAvx512bw | kAvx512vl;
  if ((b & kAvx512) != kAvx512 || (SavedState() & kZmmState) != kZmmState) return Isa::kAvx2;
  return Isa::kAvx512;
}

const char* IsaName(Isa isa) {
  switch (isa) {
    case Isa::kBaseline:
      return "baseline";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
  }
  return "unknown";
}

}  // namespace

Isa HostIsa() {
  static const Isa isa = DetectIsa();
  return isa;
}

}  // namespace tilewright

extern "C" const char* tw_cpu_report(void) {
  thread_local std::string report;
  int threads = 0;
  const TwStatus counted = tilewright::Guard([&] { threads = tilewright::ThreadCount(); });
  const TwStatus written = tilewright::Guard([&] {
    tilewright::JsonWriter json;
    json.BeginObject();
    json.Key("isa");
    json.String(tilewright::IsaName(tilewright::HostIsa()));
    json.Key("threads");
    json.IntOrNull(threads);
    json.Key("error");
    json.StringOrNull(counted == TW_OK ? "" : tilewright::LastError());
    json.EndObject();
    report = json.Take();
  });
  return written == TW_OK ? report.c_str() : "{\"error\":\"out of host memory\"}";
}
