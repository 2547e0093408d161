// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/tvm_library.h"

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "csrc/runtime/check.h"
#include "csrc/runtime/loading/installation.h"
#include "csrc/runtime/loading/lock_around_fork.h"

namespace tilewright {
namespace {

constexpr const char* kFileName = "libtilewright_tvm.so";

std::mutex loader_mutex;  // guards the members of the loader

// Owns the opened library. Never freed.
class TvmLibraryLoader {
 public:
  static TvmLibraryLoader& Instance() {
    static auto* loader = new TvmLibraryLoader;
    return *loader;
  }

  const TwTvmApi& Get() {
    if (const TwTvmApi* api = api_.load(std::memory_order_acquire)) return *api;
    std::lock_guard<std::mutex> lock(loader_mutex);
    if (const TwTvmApi* api = api_.load(std::memory_order_acquire)) return *api;
    try {
      const TwTvmApi* api = Load();
      api_.store(api, std::memory_order_release);
      error_.clear();
      return *api;
    } catch (const Error& error) {
      error_ = error.what();
      throw;
    }
  }

  TvmLoadState State() {
    std::lock_guard<std::mutex> lock(loader_mutex);
    TvmLoadState state{api_.load(std::memory_order_acquire), library_.path(), attempts_, error_};
    if (!state.attempts.empty()) return state;
    for (const std::string& path : CandidatePaths()) {
      state.attempts.push_back({path, FileExists(path) ? "present, not opened" : "not found"});
    }
    return state;
  }

 private:
  TvmLibraryLoader() { LockAroundFork<loader_mutex>(); }

  static std::vector<std::string> CandidatePaths() {
    std::vector<std::string> paths;
    for (const std::string& directory : OwnDirectories()) {
      paths.push_back(Concat(directory, "/", kFileName));
    }
    return paths;
  }

  const TwTvmApi* Load() {
    attempts_.clear();
    for (const std::string& path : CandidatePaths()) {
      library_ = DynamicLibrary::Open(path, attempts_);
      if (!library_) continue;
      const auto get_api = library_.function<TwTvmApiFunction>(TW_TVM_API_SYMBOL);
      const TwTvmApi* api = get_api != nullptr ? get_api(TW_TVM_API_VERSION) : nullptr;
      if (api != nullptr && api->version == TW_TVM_API_VERSION && api->size == sizeof(TwTvmApi)) {
        return api;
      }
      attempts_.back().result = get_api == nullptr
                                    ? Concat("opened, but it has no `", TW_TVM_API_SYMBOL, "`")
                                    : OtherVersion(TW_TVM_API_VERSION);
      library_ = DynamicLibrary();
    }
    throw Error(
        TW_LIBRARY_NOT_FOUND,
        Concat("tilewright's TVM runtime, `", kFileName,
               "`, could not be opened; tried:", AttemptLines(attempts_),
               "\nhint: this installation is incomplete, reinstall it: ", ReinstallCommand()));
  }

  std::atomic<const TwTvmApi*> api_{nullptr};
  DynamicLibrary library_;
  std::vector<Attempt> attempts_;  // of the last load; empty before the first
  std::string error_;
};

}  // namespace

const TwTvmApi& GetTvmApi() { return TvmLibraryLoader::Instance().Get(); }

TvmLoadState QueryTvmLoadState() { return TvmLibraryLoader::Instance().State(); }

}  // namespace tilewright

extern "C" TwStatus tw_tvm_load(void) {
  return tilewright::Guard([] { tilewright::GetTvmApi(); });
}
