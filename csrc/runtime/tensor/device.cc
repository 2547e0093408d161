// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/tensor/device.h"

#include "csrc/runtime/message.h"

namespace tilewright {

std::string DeviceName(DLDevice device) {
  switch (static_cast<int32_t>(device.device_type)) {
    case kDLCPU:
      return "cpu";
    case kDLCUDA:
      return Concat("cuda:", device.device_id);
    case kDLCUDAHost:
      return "cuda_host";
    case kDLCUDAManaged:
      return Concat("cuda_managed:", device.device_id);
    case kDLROCM:
      return Concat("rocm:", device.device_id);
    case kDLMetal:
      return Concat("metal:", device.device_id);
    case kDLVulkan:
      return Concat("vulkan:", device.device_id);
    case kDLOneAPI:
      return Concat("oneapi:", device.device_id);
    default:
      return Concat("DLPack device type ", static_cast<int32_t>(device.device_type), ":",
                    device.device_id);
  }
}

}  // namespace tilewright
