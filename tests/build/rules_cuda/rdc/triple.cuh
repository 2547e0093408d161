// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_BUILD_RULES_CUDA_RDC_TRIPLE_CUH_
#define TESTS_BUILD_RULES_CUDA_RDC_TRIPLE_CUH_

// Defined in another translation unit: calling it takes relocatable device code and a device link.
__device__ int Triple(int value);

#endif  // TESTS_BUILD_RULES_CUDA_RDC_TRIPLE_CUH_
