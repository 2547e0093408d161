// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_BUILD_RULES_CUDA_SCALE_H_
#define TESTS_BUILD_RULES_CUDA_SCALE_H_

// Multiplies `count` elements of the device array `values` by `factor`; returns a cudaError_t.
extern "C" int scale(float* values, float factor, int count);

#endif  // TESTS_BUILD_RULES_CUDA_SCALE_H_
