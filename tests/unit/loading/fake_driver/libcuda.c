// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for NVIDIA's driver: it has a version and no device.

#include <stdlib.h>

enum { kSuccess = 0, kErrorStubLibrary = 34, kErrorNoDevice = 100 };

int cuDriverGetVersion(int* version) {
  const char* text = getenv("FAKE_CUDA_DRIVER_VERSION");
  if (text == NULL) return kErrorStubLibrary;
  *version = atoi(text);
  return kSuccess;
}

int cuInit(unsigned flags) {
  (void)flags;
  return kErrorNoDevice;
}
