// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <string>

#include "csrc/runtime/error.h"
#include "csrc/runtime/json_writer.h"
#include "csrc/runtime/loading/tvm_library.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

std::string Report(const TvmLoadState& state) {
  JsonWriter json;
  json.BeginObject();
  json.Key("loaded");
  json.Bool(state.api != nullptr);
  json.Key("path");
  json.StringOrNull(state.path);
  json.Key("version");
  json.StringOrNull(state.api != nullptr ? state.api->tvm_version : "");
  json.Key("tried");
  WriteAttempts(json, state.attempts);
  json.Key("error");
  json.StringOrNull(state.error);
  json.EndObject();
  return json.Take();
}

}  // namespace
}  // namespace tilewright

extern "C" const char* tw_tvm_report(void) {
  thread_local std::string report;
  const TwStatus status =
      tilewright::Guard([] { report = tilewright::Report(tilewright::QueryTvmLoadState()); });
  return status == TW_OK ? report.c_str() : "{\"loaded\":false,\"error\":\"out of host memory\"}";
}
