// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/tvm_library.h"

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "csrc/runtime/check.h"
#include "csrc/runtime/json_writer.h"
#include "csrc/runtime/loading/dynamic_library.h"

namespace tilewright {
namespace {

constexpr const char* kFileName = "libtilewright_tvm.so";

// Owns the opened library. Never freed.
class TvmLibraryLoader {
 public:
  static TvmLibraryLoader& Instance() {
    static auto* loader = new TvmLibraryLoader;
    return *loader;
  }

  const TwTvmApi& Get() {
    if (const TwTvmApi* api = api_.load(std::memory_order_acquire)) return *api;
    std::lock_guard<std::mutex> lock(mutex_);
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

  std::string Report() {
    std::lock_guard<std::mutex> lock(mutex_);
    const TwTvmApi* api = api_.load(std::memory_order_acquire);
    std::vector<Attempt> attempts = attempts_;
    if (attempts.empty()) {
      for (const std::string& path : CandidatePaths()) {
        attempts.push_back({path, FileExists(path) ? "present, not opened" : "not found"});
      }
    }
    JsonWriter json;
    json.BeginObject();
    json.Key("loaded");
    json.Bool(api != nullptr);
    json.Key("path");
    json.StringOrNull(library_.path());
    json.Key("version");
    json.StringOrNull(api != nullptr ? api->tvm_version : "");
    json.Key("tried");
    json.BeginArray();
    for (const Attempt& attempt : attempts) {
      json.BeginObject();
      json.Key("path");
      json.String(attempt.path);
      json.Key("result");
      json.String(attempt.result);
      json.EndObject();
    }
    json.EndArray();
    json.Key("error");
    json.StringOrNull(error_);
    json.EndObject();
    return json.Take();
  }

 private:
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
      attempts_.back().result =
          get_api == nullptr
              ? Concat("opened, but it has no `", TW_TVM_API_SYMBOL, "`")
              : Concat("opened, but it belongs to another version of tilewright (wanted interface ",
                       TW_TVM_API_VERSION, ")");
      library_ = DynamicLibrary();
    }
    throw Error(TW_LIBRARY_NOT_FOUND,
                Concat("tilewright's TVM runtime, `", kFileName,
                       "`, could not be opened; tried:", AttemptLines(attempts_),
                       "\nhint: this installation is incomplete, reinstall it: "
                       "`pip install --force-reinstall --no-deps tilewright`"));
  }

  std::atomic<const TwTvmApi*> api_{nullptr};
  std::mutex mutex_;  // guards what follows
  DynamicLibrary library_;
  std::vector<Attempt> attempts_;  // of the last load; empty before the first
  std::string error_;
};

}  // namespace

const TwTvmApi& GetTvmApi() { return TvmLibraryLoader::Instance().Get(); }

}  // namespace tilewright

extern "C" {

TwStatus tw_tvm_load(void) {
  return tilewright::Guard([] { tilewright::GetTvmApi(); });
}

const char* tw_tvm_report(void) {
  thread_local std::string report;
  const TwStatus status =
      tilewright::Guard([] { report = tilewright::TvmLibraryLoader::Instance().Report(); });
  return status == TW_OK ? report.c_str() : "{\"loaded\":false,\"error\":\"out of host memory\"}";
}

}  // extern "C"
