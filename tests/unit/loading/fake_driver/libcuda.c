// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for NVIDIA's driver: it has a version, which it may take its time to tell, and no
// device.

#include <stdlib.h>
#include <unistd.h>

enum { kSuccess = 0, kErrorStubLibrary = 34, kErrorNoDevice = 100 };

int cuDriverGetVersion(int* version) {
  const char* text = getenv("FAKE_CUDA_DRIVER_VERSION");
  const char* seconds = getenv("FAKE_CUDA_DRIVER_SECONDS");
  if (seconds != NULL) sleep((unsigned)atoi(seconds));
  if (text == NULL) return kErrorStubLibrary;
  *version = atoi(text);
  return kSuccess;
}

int cuInit(unsigned flags) {
  (void)flags;
  return kErrorNoDevice;
}
