// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_DYNAMIC_LIBRARY_H_
#define TILEWRIGHT_RUNTIME_LOADING_DYNAMIC_LIBRARY_H_

#include <string>
#include <vector>

namespace tilewright {

class JsonWriter;

// One place a library was looked for, and what came of it.
struct Attempt {
  std::string path;
  std::string result;  // "opened", "not found", or why the loader refused it
};

// A shared library that stays open for the life of the process; copies refer to the same one.
class DynamicLibrary {
 public:
  DynamicLibrary() = default;

  // Opens `name`, a path or a name for the loader to search, with local symbols; records the
  // attempt in `attempts`. The result is empty when that failed.
  static DynamicLibrary Open(const std::string& name, std::vector<Attempt>& attempts);

  // The library if the process already holds it, by soname or path.
  static DynamicLibrary OpenIfLoaded(const std::string& name);

  explicit operator bool() const { return handle_ != nullptr; }

  // Null when there is no such symbol.
  void* symbol(const char* name) const;

  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

  // Where the loader found it.
  std::string path() const;

 private:
  explicit DynamicLibrary(void* handle) : handle_(handle) {}

  void* handle_ = nullptr;
};

// The folders where libraries shipped with this one may lie: the folder of this library as it was
// loaded, and with symbolic links resolved when that is another one.
std::vector<std::string> OwnDirectories();

// What is before the last slash of `path`.
std::string DirectoryOf(const std::string& path);

bool FileExists(const std::string& path);

// "  path: result" a line each, for error messages.
std::string AttemptLines(const std::vector<Attempt>& attempts);

// [{"path": str, "result": str}], the value of a key, for reports.
void WriteAttempts(JsonWriter& json, const std::vector<Attempt>& attempts);

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_DYNAMIC_LIBRARY_H_
