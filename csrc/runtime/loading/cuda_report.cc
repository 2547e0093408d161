// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "csrc/runtime/json_writer.h"
#include "csrc/runtime/loading/cuda_library.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

void WriteDriver(JsonWriter& json, const CudaDriver& driver) {
  json.Key("driver");
  json.BeginObject();
  json.Key("path");
  json.StringOrNull(driver.library.path());
  json.Key("version");
  json.IntOrNull(driver.version);
  json.Key("error");
  json.StringOrNull(driver.error);
  json.EndObject();
}

void WriteCandidate(JsonWriter& json, const CudaCandidate& candidate) {
  json.BeginObject();
  json.Key("major");
  json.Int(candidate.major->major);
  json.Key("min_driver");
  json.Int(candidate.major->min_driver);
  json.Key("driver_ok");
  json.Bool(candidate.driver_ok);
  json.Key("kernel_library");
  json.BeginObject();
  json.Key("path");
  json.String(candidate.kernel_path);
  json.Key("exists");
  json.Bool(candidate.kernel_exists);
  json.EndObject();
  json.Key("runtime");
  json.StringOrNull(candidate.runtime);
  json.Key("tried");
  WriteAttempts(json, candidate.attempts);
  json.EndObject();
}

std::string Report(const CudaLoadState& state) {
  JsonWriter json;
  json.BeginObject();
  WriteDriver(json, state.driver);
  json.Key("loaded_runtimes");
  json.BeginArray();
  for (const LoadedRuntime& runtime : state.loaded_runtimes) {
    json.BeginObject();
    json.Key("major");
    json.Int(runtime.major);
    json.Key("path");
    json.String(runtime.path);
    json.EndObject();
  }
  json.EndArray();
  json.Key("search_path");
  json.BeginArray();
  for (const std::string& directory : state.search_path) json.String(directory);
  json.EndArray();
  json.Key("override");
  json.StringOrNull(state.override_value);
  json.Key("candidates");
  json.BeginArray();
  for (const CudaCandidate& candidate : state.candidates) WriteCandidate(json, candidate);
  json.EndArray();
  const CudaLibrary* library = state.library;
  json.Key("chosen");
  json.IntOrNull(library != nullptr ? library->major() : 0);
  json.Key("reason");
  json.StringOrNull(library != nullptr ? library->reason() : "");
  json.Key("error");
  json.StringOrNull(state.error);
  json.Key("runtime_version");
  json.IntOrNull(library != nullptr ? library->runtime_version() : 0);
  json.Key("min_compute_capability");
  if (library != nullptr) {
    json.BeginArray();
    json.Int(library->min_compute_capability() / 10);
    json.Int(library->min_compute_capability() % 10);
    json.EndArray();
  } else {
    json.Null();
  }
  json.Key("runtime_path");
  json.StringOrNull(library != nullptr ? library->runtime_path() : "");
  json.EndObject();
  return json.Take();
}

}  // namespace
}  // namespace tilewright

extern "C" const char* tw_cuda_report(void) {
  thread_local std::string report;
  const TwStatus status =
      tilewright::Guard([] { report = tilewright::Report(tilewright::QueryCudaLoadState()); });
  return status == TW_OK ? report.c_str() : "{\"error\":\"out of host memory\"}";
}
