// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Overlap of a kernel's start with the end of the one before it in the stream (programmatic
// dependent launch, compute capability 9.0). In code compiled for less these do nothing, and its
// kernels must start in turn.

#ifndef TILEWRIGHT_DEVICE_OVERLAP_CUH_
#define TILEWRIGHT_DEVICE_OVERLAP_CUH_

namespace tilewright {
namespace device {

// Returns once all earlier work of the stream is done and its writes are visible. Every kernel that
// Launch starts calls this before it touches global memory.
__device__ __forceinline__ void WaitForPreviousKernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Once every block has called this or ended, the next kernel's blocks may take the places that are
// free; they wait, as above, before they touch memory.
__device__ __forceinline__ void LetNextKernelStart() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace device
}  // namespace tilewright

#endif  // TILEWRIGHT_DEVICE_OVERLAP_CUH_
