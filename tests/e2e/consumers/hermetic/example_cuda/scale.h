// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef EXAMPLE_CUDA_SCALE_H_
#define EXAMPLE_CUDA_SCALE_H_

#include <cstddef>

// Multiplies `count` values in host memory by `factor` on the current GPU.
// Returns null, or CUDA's description of what went wrong; the values are then unchanged.
extern "C" const char* scale(float* values, std::size_t count, float factor);

#endif  // EXAMPLE_CUDA_SCALE_H_
