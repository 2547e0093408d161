// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_BINDINGS_TENSOR_H_
#define TILEWRIGHT_BINDINGS_TENSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "tilewright/dlpack.h"

namespace tilewright::bindings {

// `tilewright._C.Tensor`: memory that tilewright owns and lends through DLPack. It lives until this
// object and every capsule made from it are gone.
class Tensor {
 public:
  // Takes ownership: the deleter runs when the last user goes.
  explicit Tensor(DLManagedTensorVersioned* managed);

  // Uninitialised CPU memory, compact row-major, aligned to 256 bytes. `dtype` is "float32",
  // "float16" or "bfloat16". Raises DTypeError, ShapeError, OutOfMemoryError.
  static Tensor Empty(const std::vector<std::int64_t>& shape, const std::string& dtype);

  const DLTensor& view() const { return managed_->dl_tensor; }

  // A new capsule of one of DLPack's two forms. It shares the memory.
  pybind11::capsule Lend(bool versioned) const;

 private:
  std::shared_ptr<DLManagedTensorVersioned> managed_;
};

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_TENSOR_H_
