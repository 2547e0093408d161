// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/runtime/loading/cuda_driver.h"

#include <cstddef>
#include <cstdint>

#include "csrc/runtime/error.h"
#include "csrc/runtime/json_writer.h"
#include "csrc/runtime/message.h"
#include "tilewright/c_api.h"

namespace tilewright {
namespace {

// By name first: the loader's own search finds it on nearly every machine. The others are where WSL
// and container runtimes mount it without telling the loader.
constexpr const char* kDriverNames[] = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
                                        "/usr/local/nvidia/lib64/libcuda.so.1"};

// The driver API, as far as it is used; its header is not needed to call it.
constexpr int kComputeCapabilityMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int kComputeCapabilityMinor = 76;
using Device = int;

struct DriverFunctions {
  int (*init)(unsigned flags);
  int (*count)(int* count);
  int (*get)(Device* device, int index);
  int (*name)(char* name, int size, Device device);
  int (*attribute)(int* value, int attribute, Device device);
  int (*total_memory)(size_t* bytes, Device device);
  int (*error_string)(int code, const char** text);

  explicit DriverFunctions(const DynamicLibrary& driver)
      : init(driver.function<decltype(init)>("cuInit")),
        count(driver.function<decltype(count)>("cuDeviceGetCount")),
        get(driver.function<decltype(get)>("cuDeviceGet")),
        name(driver.function<decltype(name)>("cuDeviceGetName")),
        attribute(driver.function<decltype(attribute)>("cuDeviceGetAttribute")),
        total_memory(driver.function<decltype(total_memory)>("cuDeviceTotalMem_v2")),
        error_string(driver.function<decltype(error_string)>("cuGetErrorString")) {}

  bool complete() const {
    return init && count && get && name && attribute && total_memory && error_string;
  }

  std::string ErrorText(const char* call, int code) const {
    const char* text = nullptr;
    error_string(code, &text);
    return Concat("`", call, "` failed: error ", code, " (", text != nullptr ? text : "unknown",
                  ")");
  }
};

// Writes the devices into the open array `json`; returns what went wrong, "" for nothing.
std::string WriteDevices(const CudaDriver& driver, JsonWriter& json) {
  if (!driver.error.empty()) return driver.error;
  const DriverFunctions cuda(driver.library);
  if (!cuda.complete()) return Concat("`", driver.library.path(), "` lacks device queries");
  if (int code = cuda.init(0); code != 0) return cuda.ErrorText("cuInit", code);
  int count = 0;
  if (int code = cuda.count(&count); code != 0) return cuda.ErrorText("cuDeviceGetCount", code);
  for (int i = 0; i < count; ++i) {
    Device device = 0;
    char name[256] = "";
    int major = 0, minor = 0;
    size_t bytes = 0;
    if (int code = cuda.get(&device, i); code != 0) return cuda.ErrorText("cuDeviceGet", code);
    cuda.name(name, sizeof(name), device);
    cuda.attribute(&major, kComputeCapabilityMajor, device);
    cuda.attribute(&minor, kComputeCapabilityMinor, device);
    cuda.total_memory(&bytes, device);
    json.BeginObject();
    json.Key("index");
    json.Int(i);
    json.Key("name");
    json.String(name);
    json.Key("compute_capability");
    json.BeginArray();
    json.Int(major);
    json.Int(minor);
    json.EndArray();
    json.Key("total_memory_bytes");
    json.Int(static_cast<int64_t>(bytes));
    json.EndObject();
  }
  return "";
}

}  // namespace

CudaDriver QueryCudaDriver() {
  CudaDriver driver;
  for (const char* name : kDriverNames) {
    driver.library = DynamicLibrary::Open(name, driver.attempts);
    if (driver.library) break;
  }
  if (!driver.library) {
    driver.error = "`libcuda.so.1` could not be opened";
    return driver;
  }
  const auto get_version = driver.library.function<int (*)(int*)>("cuDriverGetVersion");
  if (get_version == nullptr) {
    driver.error = Concat("`", driver.library.path(), "` has no `cuDriverGetVersion`");
  } else if (int code = get_version(&driver.version); code != 0) {
    driver.version = 0;
    driver.error = Concat("`cuDriverGetVersion` of `", driver.library.path(), "` failed: error ",
                          code, code == 34 ? " (a stub library, not the driver)" : "");
  }
  return driver;
}

std::string CudaVersionText(int version) {
  return Concat(version / 1000, ".", version % 1000 / 10);
}

}  // namespace tilewright

extern "C" const char* tw_cuda_devices(void) {
  thread_local std::string report;
  const TwStatus status = tilewright::Guard([] {
    tilewright::JsonWriter json;
    json.BeginObject();
    json.Key("devices");
    json.BeginArray();
    const std::string error = tilewright::WriteDevices(tilewright::QueryCudaDriver(), json);
    json.EndArray();
    json.Key("error");
    json.StringOrNull(error);
    json.EndObject();
    report = json.Take();
  });
  return status == TW_OK ? report.c_str() : "{\"devices\":[],\"error\":\"out of host memory\"}";
}
