// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/cuda_runtime_search.h"

#include <cstdlib>
#include <link.h>
#include <string_view>

#include "csrc/runtime/message.h"

namespace tilewright {
namespace {

// 13 for ".../libcudart.so.13" and ".../libcudart-1a2b3c4d.so.13.0.96"; 0 for anything else.
int RuntimeMajorOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  constexpr std::string_view kStem = "libcudart";
  constexpr std::string_view kSuffix = ".so.";
  if (path.substr(0, kStem.size()) != kStem) return 0;
  path.remove_prefix(kStem.size());
  const size_t suffix = path.find(kSuffix);
  const bool named_so = suffix == 0 || (suffix != std::string_view::npos && path.front() == '-');
  if (!named_so) return 0;
  return std::atoi(path.data() + suffix + kSuffix.size());
}

int CollectRuntime(dl_phdr_info* info, size_t, void* context) {
  if (info->dlpi_name == nullptr) return 0;
  if (const int major = RuntimeMajorOf(info->dlpi_name); major != 0) {
    static_cast<std::vector<LoadedRuntime>*>(context)->push_back({major, info->dlpi_name});
  }
  return 0;
}

// In the order of preference. A name without a slash is left to the loader's own search.
std::vector<std::string> CandidateNames(const CudaMajor& major,
                                        const std::vector<std::string>& search_path) {
  std::vector<std::string> names;
  const auto add_directory = [&](const std::string& directory) {
    std::string name = Concat(directory, "/", major.runtime_soname);
    for (const std::string& known : names) {
      if (known == name) return;
    }
    names.push_back(std::move(name));
  };
  for (const std::string& own : OwnDirectories()) {
    const std::string packages = DirectoryOf(DirectoryOf(own));  // ours is tilewright/lib
    add_directory(Concat(packages, "/", major.pip_folder));
  }
  for (const std::string& directory : search_path) {
    add_directory(Concat(directory, "/", major.pip_folder));
  }
  names.emplace_back(major.runtime_soname);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* root = std::getenv(variable);
    if (root != nullptr && *root != '\0') add_directory(Concat(root, "/lib64"));
  }
  add_directory(Concat("/usr/local/cuda-", major.major, "/lib64"));
  add_directory("/usr/local/cuda/lib64");
  return names;
}

}  // namespace

std::vector<LoadedRuntime> LoadedCudaRuntimes() {
  std::vector<LoadedRuntime> runtimes;
  dl_iterate_phdr(&CollectRuntime, &runtimes);
  return runtimes;
}

DynamicLibrary OpenCudaRuntime(const CudaMajor& major, const std::vector<std::string>& search_path,
                               std::vector<Attempt>& attempts) {
  if (DynamicLibrary loaded = DynamicLibrary::OpenIfLoaded(major.runtime_soname)) {
    attempts.push_back({loaded.path(), "already loaded"});
    return loaded;
  }
  for (const std::string& name : CandidateNames(major, search_path)) {
    if (DynamicLibrary opened = DynamicLibrary::Open(name, attempts)) return opened;
  }
  return {};
}

std::vector<Attempt> ProbeCudaRuntime(const CudaMajor& major,
                                      const std::vector<std::string>& search_path) {
  std::vector<Attempt> attempts;
  for (const std::string& name : CandidateNames(major, search_path)) {
    const bool is_path = name.find('/') != std::string::npos;
    attempts.push_back({name, !is_path           ? "left to the loader, not tried"
                              : FileExists(name) ? "present, not opened"
                                                 : "not found"});
  }
  return attempts;
}

}  // namespace tilewright
