// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Finding libcudart for a CUDA major. The kernel libraries need it and the wheel does not carry it.

#ifndef TILEWRIGHT_RUNTIME_LOADING_CUDA_RUNTIME_SEARCH_H_
#define TILEWRIGHT_RUNTIME_LOADING_CUDA_RUNTIME_SEARCH_H_

#include <string>
#include <vector>

#include "csrc/runtime/loading/dynamic_library.h"

namespace tilewright {

// What is known of a CUDA major that tilewright has kernels for.
struct CudaMajor {
  int major;
  int min_driver;              // the oldest driver's CUDA version, 13000 for 13.0
  const char* driver_name;     // the driver branch that first had it, for messages
  const char* runtime_soname;  // what the kernel library needs
  const char* kernel_library;  // the file name of ours
  const char* pip_folder;      // where pip puts the runtime, below a directory of packages
  const char* extra;           // the extra of the wheel that installs the runtime
};

// Newest first.
inline constexpr CudaMajor kCudaMajors[] = {
    {13, 13000, "580", "libcudart.so.13", "libtilewright_cuda13.so", "nvidia/cu13/lib", "cuda13"},
    {12, 12000, "525", "libcudart.so.12", "libtilewright_cuda12.so", "nvidia/cuda_runtime/lib",
     "cuda12"},
};

struct LoadedRuntime {
  int major;
  std::string path;
};

// Every libcudart the process holds, also renamed ones such as libcudart-1a2b3c4d.so.12.
std::vector<LoadedRuntime> LoadedCudaRuntimes();

// Opens the runtime of `major`: the one the process holds under the soname, else from the folder
// pip puts it in, below the directory that holds our package or one of `search_path`, else from the
// system. Empty when there is none.
DynamicLibrary OpenCudaRuntime(const CudaMajor& major, const std::vector<std::string>& search_path,
                               std::vector<Attempt>& attempts);

// Where OpenCudaRuntime would look, and whether a file is there; opens nothing.
std::vector<Attempt> ProbeCudaRuntime(const CudaMajor& major,
                                      const std::vector<std::string>& search_path);

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_CUDA_RUNTIME_SEARCH_H_
