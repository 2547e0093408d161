// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <nvrtc.h>
#include <stdexcept>
#include <string>

#include <pybind11/pybind11.h>

#include "example_cuda/scale.h"

namespace {

void Scale(const pybind11::buffer& values, float factor) {
  const pybind11::buffer_info info = values.request(/*writable=*/true);
  if (!info.item_type_is_equivalent_to<float>() || info.ndim != 1 ||
      info.strides[0] != sizeof(float)) {
    throw std::invalid_argument("scale: `values` must be a contiguous buffer of float32");
  }
  const char* error =
      scale(static_cast<float*>(info.ptr), static_cast<std::size_t>(info.size), factor);
  if (error != nullptr) {
    throw std::runtime_error(std::string("scale: ") + error);
  }
}

std::string CompileToPtx(const std::string& source) {
  nvrtcProgram program = nullptr;
  nvrtcResult status =
      nvrtcCreateProgram(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr);
  if (status == NVRTC_SUCCESS) {
    status = nvrtcCompileProgram(program, 0, nullptr);
  }
  std::size_t size = 0;
  std::string text;
  if (status == NVRTC_SUCCESS && nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS) {
    text.resize(size);
    nvrtcGetPTX(program, text.data());
  } else if (nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS) {
    text.resize(size);
    nvrtcGetProgramLog(program, text.data());
  }
  nvrtcDestroyProgram(&program);
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  if (status != NVRTC_SUCCESS) {
    throw std::runtime_error(std::string("compile_to_ptx: ") + nvrtcGetErrorString(status) + "\n" +
                             text);
  }
  return text;
}

}  // namespace

PYBIND11_MODULE(_cuda, module) {
  module.def("scale", &Scale);
  module.def("compile_to_ptx", &CompileToPtx);
}
