// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/dynamic_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>
#include <utility>

#include "csrc/runtime/json_writer.h"

namespace tilewright {

DynamicLibrary DynamicLibrary::Open(const std::string& name, std::vector<Attempt>& attempts) {
  const bool is_path = name.find('/') != std::string::npos;
  if (is_path && !FileExists(name)) {
    attempts.push_back({name, "not found"});
    return {};
  }
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    attempts.push_back({name, reason != nullptr ? reason : "dlopen failed"});
    return {};
  }
  attempts.push_back({name, "opened"});
  return DynamicLibrary(handle);
}

DynamicLibrary DynamicLibrary::OpenIfLoaded(const std::string& name) {
  return DynamicLibrary(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD));
}

void* DynamicLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

std::string DynamicLibrary::path() const {
  link_map* map = nullptr;
  if (handle_ == nullptr || dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return "";
  return map->l_name;
}

std::vector<std::string> OwnDirectories() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&OwnDirectories), &self) == 0) return {};
  std::vector<std::string> directories;
  // A relative path would mean something else after a change of the working directory.
  if (self.dli_fname[0] == '/') directories.push_back(DirectoryOf(self.dli_fname));
  if (char* resolved = realpath(self.dli_fname, nullptr)) {
    std::string directory = DirectoryOf(resolved);
    free(resolved);
    if (directories.empty() || directory != directories.front()) {
      directories.push_back(std::move(directory));
    }
  }
  return directories;
}

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool FileExists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string AttemptLines(const std::vector<Attempt>& attempts) {
  std::string lines;
  for (const Attempt& attempt : attempts) {
    lines += "\n  " + attempt.path + ": " + attempt.result;
  }
  return lines;
}

void WriteAttempts(JsonWriter& json, const std::vector<Attempt>& attempts) {
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
}

}  // namespace tilewright
