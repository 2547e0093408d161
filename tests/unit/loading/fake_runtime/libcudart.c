// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for CUDA's runtime, of one device: as much as the kernel libraries call. It launches
// nothing. A test says through the variables what it answers, and reads there what it was asked.

#include <cuda_runtime_api.h>
#include <stdlib.h>

int fake_driver_version = 13000;
int fake_code_version = 90;  // of every kernel
cudaError_t fake_launch_result = cudaSuccess;
int fake_code_queries = 0;
int fake_launches = 0;
int fake_overlapping_launches = 0;  // those that may start before the kernel before them ends

static cudaError_t last_error = cudaSuccess;  // of every thread: the tests have one

static cudaError_t Result(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t cudaGetLastError(void) {
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

const char* cudaGetErrorString(cudaError_t error) {
  (void)error;
  return "as asked";
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = fake_driver_version;
  return Result(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return Result(cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return Result(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  return Result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return Result(fake_launch_result);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function) {
  (void)function;
  ++fake_code_queries;
  attributes->ptxVersion = fake_code_version;
  attributes->binaryVersion = 90;
  return Result(cudaSuccess);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  (void)function;
  (void)arguments;
  ++fake_launches;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute* attribute = &config->attrs[i];
    if (attribute->id == cudaLaunchAttributeProgrammaticStreamSerialization &&
        attribute->val.programmaticStreamSerializationAllowed) {
      ++fake_overlapping_launches;
    }
  }
  return Result(fake_launch_result);
}

// What the compiler's own code calls.

void** __cudaRegisterFatBinary(void* binary) {
  static void* handle;
  (void)binary;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void** handle) { (void)handle; }

void __cudaUnregisterFatBinary(void** handle) { (void)handle; }

void __cudaRegisterFunction(void** handle) { (void)handle; }

// Of launches with `<<<>>>`, for which the compiler makes code that nobody calls.

void __cudaPopCallConfiguration(void) { abort(); }

void __cudaGetKernel(void) { abort(); }

void __cudaLaunchKernel(void) { abort(); }

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  (void)function;
  (void)grid;
  (void)block;
  (void)arguments;
  (void)shared_bytes;
  (void)stream;
  abort();
}
