// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/installation.h"

#include <atomic>
#include <string_view>

#include "csrc/runtime/check.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

constexpr size_t kLongestRelease = 128;
constexpr const char* kReleaseCharacters =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+!-_";

// Null until it is told. No mutex, which a fork could leave locked; what was replaced is not freed,
// as another thread may be reading it.
std::atomic<const std::string*> known_release{nullptr};

void SetRelease(std::string_view release) {
  TW_CHECK(!release.empty() && release.size() <= kLongestRelease &&
               release.find_first_not_of(kReleaseCharacters) == release.npos,
           TW_INVALID_ARGUMENT, "tw_set_release: `release` is no version: `",
           release.substr(0, kLongestRelease), "`",
           "\nhint: pass one such as `1.2.3`, of letters, digits and `.+!-_`, of at most ",
           kLongestRelease, " characters");
  const std::string* previous = known_release.load(std::memory_order_acquire);
  if (previous != nullptr && *previous == release) return;
  known_release.store(new std::string(release), std::memory_order_release);
}

}  // namespace

std::string ReinstallCommand() {
  const std::string* release = known_release.load(std::memory_order_acquire);
  return Concat("`pip install --force-reinstall --no-deps tilewright",
                release != nullptr ? Concat("==", *release) : "", "`");
}

std::string OtherVersion(int wanted) {
  return Concat("opened, but it belongs to another version of tilewright (wanted interface ",
                wanted, "); was tilewright upgraded while this process ran?");
}

}  // namespace tilewright

extern "C" TwStatus tw_set_release(const char* release) {
  return tilewright::Guard([&] {
    TW_CHECK(release != nullptr, TW_INVALID_ARGUMENT, "tw_set_release: `release` is null");
    tilewright::SetRelease(release);
  });
}
