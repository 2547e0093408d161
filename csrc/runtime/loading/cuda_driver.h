// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_RUNTIME_LOADING_CUDA_DRIVER_H_
#define TILEWRIGHT_RUNTIME_LOADING_CUDA_DRIVER_H_

#include <string>
#include <vector>

#include "csrc/runtime/loading/dynamic_library.h"

namespace tilewright {

// NVIDIA's driver library, libcuda.so.1.
struct CudaDriver {
  DynamicLibrary library;         // empty when none could be opened
  int version = 0;                // the newest CUDA it supports, 13000 for 13.0; 0 if unknown
  std::string error;              // why there is no version; "" if there is one
  std::vector<Attempt> attempts;  // where it was looked for
};

// Opens the driver and asks its version; does not initialise it, so it is safe before a fork.
CudaDriver QueryCudaDriver();

// "13.0" for 13000.
std::string CudaVersionText(int version);

}  // namespace tilewright

#endif  // TILEWRIGHT_RUNTIME_LOADING_CUDA_DRIVER_H_
