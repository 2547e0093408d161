// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/kernels/rms_norm/rms_norm_launch.cuh"

extern "C" __attribute__((visibility("default"))) int tw_cuda_add_rms_norm(
    const tilewright::RmsNormParams* params, void* stream) {
  return tilewright::device::OnDevice(params->device, [&] {
    return tilewright::LaunchRmsNorm<tilewright::AddedInput>(*params, stream);
  });
}
