// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/error.h"

namespace tilewright {
namespace {

struct LastErrorSlot {
  std::string text;
  const char* fallback = "";  // shown in place of `text` when there was no memory for it
};

LastErrorSlot& Slot() {
  thread_local LastErrorSlot slot;
  return slot;
}

}  // namespace

TwStatus SetLastError(TwStatus status, std::string_view message) noexcept {
  LastErrorSlot& slot = Slot();
  try {
    slot.text.assign(message);
    slot.fallback = nullptr;
  } catch (...) {
    slot.fallback = "out of host memory while an error was reported";
  }
  return status;
}

const char* LastError() noexcept {
  const LastErrorSlot& slot = Slot();
  return slot.fallback != nullptr ? slot.fallback : slot.text.c_str();
}

}  // namespace tilewright

extern "C" const char* tw_last_error(void) { return tilewright::LastError(); }
