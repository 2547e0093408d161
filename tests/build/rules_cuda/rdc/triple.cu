// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/build/rules_cuda/rdc/triple.cuh"

__device__ int Triple(int value) { return 3 * value; }
