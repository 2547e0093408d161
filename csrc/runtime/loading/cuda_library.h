// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_CUDA_LIBRARY_H_
#define TILEWRIGHT_RUNTIME_LOADING_CUDA_LIBRARY_H_

#include <string>
#include <vector>

#include "csrc/runtime/check.h"
#include "csrc/runtime/loading/cuda_driver.h"
#include "csrc/runtime/loading/cuda_runtime_search.h"
#include "csrc/runtime/loading/dynamic_library.h"

namespace tilewright {

// The opened kernel library, libtilewright_cuda12.so or libtilewright_cuda13.so. There is at most
// one in a process, it is never closed, and it may be used from any thread.
class CudaLibrary {
 public:
  // Chooses and opens the library at the first call (see tw_cuda_load). Throws Error, and tries
  // again at the next call, when that fails.
  static const CudaLibrary& Get();

  // The launcher `name` of an operator.
  template <class Function>
  Function function(const char* name) const {
    auto result = kernels_.function<Function>(name);
    if (result == nullptr) ThrowMissingSymbol(name);
    return result;
  }

  // Throws Error for a cudaError_t other than success: TW_OUT_OF_MEMORY or TW_CUDA, with CUDA's own
  // text and what to do where that is known.
  [[noreturn]] void ThrowCudaError(const char* operation, int code) const;

  int major() const { return major_; }
  int min_compute_capability() const { return min_compute_capability_; }  // 80 for 8.0
  int runtime_version() const { return runtime_version_; }
  const std::string& runtime_path() const { return runtime_path_; }
  const std::string& reason() const { return reason_; }  // why this major

 private:
  friend class CudaLibraryLoader;
  CudaLibrary() = default;

  [[noreturn]] void ThrowMissingSymbol(const char* name) const;

  DynamicLibrary kernels_;
  int major_ = 0;
  int min_compute_capability_ = 0;
  int runtime_version_ = 0;
  std::string runtime_path_;
  std::string reason_;
};

// What was tried for one CUDA major.
struct CudaCandidate {
  const CudaMajor* major = nullptr;
  bool driver_ok = false;
  std::string kernel_path;  // the first place it was looked for, when it is nowhere
  bool kernel_exists = false;
  bool attempted = false;  // whether its runtime was looked for in the last load
  std::string runtime;     // the libcudart that was opened; "" for none
  std::vector<Attempt> attempts;
};

// The state of the choice, for tw_cuda_report().
struct CudaLoadState {
  CudaDriver driver;
  std::vector<LoadedRuntime> loaded_runtimes;
  std::vector<std::string> search_path;
  std::string override_value;
  std::vector<CudaCandidate> candidates;
  const CudaLibrary* library = nullptr;  // null until a load succeeded
  std::string error;                     // of the last load that failed; "" once one succeeded
};

// The state now. Opens no CUDA library but the driver.
CudaLoadState QueryCudaLoadState();

void SetCudaSearchPath(std::vector<std::string> directories);

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_CUDA_LIBRARY_H_
