// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/bindings/tensor.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "csrc/bindings/capsule_names.h"
#include "csrc/bindings/errors.h"

namespace tilewright::bindings {

namespace py = pybind11;

namespace {

constexpr std::size_t kAlignment = 256;  // more than any consumer asks for; XLA wants 64

// What a tensor made here owns, freed by the deleter of `managed`.
struct Storage {
  DLManagedTensorVersioned managed{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  void* memory = nullptr;

  ~Storage() { std::free(memory); }
};

// What a lent capsule owns: the managed tensor of one of the two forms, and a share of the memory.
template <class Managed>
struct Loan {
  Managed managed{};
  std::shared_ptr<DLManagedTensorVersioned> owner;

  static void Delete(Managed* self) { delete static_cast<Loan*>(self->manager_ctx); }
};

// Runs when the capsule goes: a consumer that took the tensor has renamed the capsule.
template <class Managed, const char* kName>
void DeleteUnconsumed(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kName)) {
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, kName));
    managed->deleter(managed);
  }
}

template <class Managed, const char* kName>
py::capsule MakeCapsule(std::unique_ptr<Loan<Managed>> loan) {
  loan->managed.manager_ctx = loan.get();
  loan->managed.deleter = &Loan<Managed>::Delete;
  PyObject* capsule = PyCapsule_New(&loan->managed, kName, &DeleteUnconsumed<Managed, kName>);
  if (capsule == nullptr) throw py::error_already_set();
  (void)loan.release();
  return py::reinterpret_steal<py::capsule>(capsule);
}

DLDataType ParseDType(const std::string& name) {
  if (name == "float32") return {kDLFloat, 32, 1};
  if (name == "float16") return {kDLFloat, 16, 1};
  if (name == "bfloat16") return {kDLBfloat, 16, 1};
  Raise(TW_DTYPE, "cannot make a tensor of dtype `" + name +
                      "`\nhint: the dtypes are `float32`, `float16` and `bfloat16`");
}

}  // namespace

Tensor::Tensor(DLManagedTensorVersioned* managed)
    : managed_(managed, [](DLManagedTensorVersioned* self) {
        if (self->deleter != nullptr) self->deleter(self);
      }) {}

Tensor Tensor::Empty(const std::vector<std::int64_t>& shape, const std::string& dtype) {
  auto storage = std::make_unique<Storage>();
  DLTensor& view = storage->managed.dl_tensor;
  view.dtype = ParseDType(dtype);
  storage->shape = shape;
  storage->strides.resize(shape.size());
  std::int64_t elements = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    storage->strides[axis] = elements;
    if (shape[axis] < 0 || __builtin_mul_overflow(elements, shape[axis], &elements)) {
      Raise(TW_SHAPE, "cannot make a tensor with " + std::to_string(shape[axis]) +
                          " elements in dimension " + std::to_string(axis));
    }
  }
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::size_t>(elements), view.dtype.bits / 8u, &bytes) ||
      bytes > SIZE_MAX - kAlignment) {
    Raise(TW_SHAPE, "cannot make a tensor of " + std::to_string(elements) + " elements");
  }
  // At least one block, so that no address is null.
  storage->memory = std::aligned_alloc(kAlignment, (bytes / kAlignment + 1) * kAlignment);
  if (storage->memory == nullptr) {
    Raise(TW_OUT_OF_MEMORY, "out of host memory: " + std::to_string(bytes) + " bytes for a tensor");
  }
  view.data = storage->memory;
  view.device = {kDLCPU, 0};
  view.ndim = static_cast<std::int32_t>(shape.size());
  view.shape = storage->shape.data();
  view.strides = storage->strides.data();
  storage->managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  storage->managed.manager_ctx = storage.get();
  storage->managed.deleter = [](DLManagedTensorVersioned* self) {
    delete static_cast<Storage*>(self->manager_ctx);
  };
  return Tensor(&storage.release()->managed);
}

py::capsule Tensor::Lend(bool versioned) const {
  if (versioned) {
    auto loan = std::make_unique<Loan<DLManagedTensorVersioned>>();
    loan->managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    loan->managed.flags = managed_->flags & DLPACK_FLAG_BITMASK_READ_ONLY;
    loan->managed.dl_tensor = managed_->dl_tensor;
    loan->owner = managed_;
    return MakeCapsule<DLManagedTensorVersioned, kVersionedName>(std::move(loan));
  }
  auto loan = std::make_unique<Loan<DLManagedTensor>>();
  loan->managed.dl_tensor = managed_->dl_tensor;
  loan->owner = managed_;
  return MakeCapsule<DLManagedTensor, kUnversionedName>(std::move(loan));
}

}  // namespace tilewright::bindings
