// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#include "csrc/tvm/value.h"

#include <cstring>
#include <string>
#include <utility>

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include "csrc/runtime/tvm_api.h"

namespace tilewright::tvm {
namespace {

using ::tvm::ffi::Any;
using ::tvm::ffi::Array;
using ::tvm::ffi::Function;
using ::tvm::ffi::Module;
using ::tvm::ffi::Shape;
using ::tvm::ffi::String;
using ::tvm::ffi::Tensor;
using ::tvm::ffi::TypeIndex;
using Unsafe = ::tvm::ffi::details::ObjectUnsafe;

template <class Reference>
Reference BorrowAs(void* handle) {
  using Object = typename Reference::ContainerType;
  return Unsafe::ObjectRefFromObjectPtr<Reference>(
      Unsafe::ObjectPtrFromUnowned<Object>(static_cast<TVMFFIObject*>(handle)));
}

// Of what an argument points to.
void RequireNotNull(const void* pointer, const char* what) {
  if (pointer == nullptr) TVM_FFI_THROW(ValueError) << "an argument's " << what << " is null";
}

TwTvmValue StringValue(const char* data, size_t size) {
  TwTvmValue value{};
  value.kind = TW_TVM_STRING;
  char* copy = new char[size + 1];
  if (size != 0) std::memcpy(copy, data, size);
  copy[size] = '\0';
  value.as_string.data = copy;
  value.as_string.size = size;
  return value;
}

TwTvmValue StringValue(const std::string& text) { return StringValue(text.data(), text.size()); }

TwTvmValue IntValue(int64_t number) {
  TwTvmValue value{};
  value.kind = TW_TVM_INT;
  value.as_int = number;
  return value;
}

// A list of `count` values, the i-th made by `make(i)`.
template <class Make>
TwTvmValue ListValue(size_t count, Make make) {
  TwTvmValue list{};
  list.kind = TW_TVM_LIST;
  list.as_list.data = new TwTvmValue[count]();
  list.as_list.size = count;
  try {
    for (size_t i = 0; i < count; ++i) list.as_list.data[i] = make(i);
  } catch (...) {
    FreeValue(&list);
    throw;
  }
  return list;
}

const char* DeviceName(DLDeviceType type) {
  switch (type) {
    case kDLCPU:
      return "cpu";
    case kDLCUDA:
      return "cuda";
    case kDLCUDAHost:
      return "cuda_host";
    default:
      return "device";
  }
}

}  // namespace

TwTvmModule* ReleaseHandle(Module module) {
  return reinterpret_cast<TwTvmModule*>(Unsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(module)));
}

TwTvmFunction* ReleaseHandle(Function function) {
  return reinterpret_cast<TwTvmFunction*>(
      Unsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(function)));
}

Module Borrow(TwTvmModule* handle) { return BorrowAs<Module>(handle); }

Function Borrow(TwTvmFunction* handle) { return BorrowAs<Function>(handle); }

void FreeHandle(void* handle) noexcept {
  if (handle != nullptr) TVMFFIObjectDecRef(handle);
}

Arguments::Arguments(const TwTvmValue* values, int32_t count) {
  size_t taken = 0;
  const size_t total = static_cast<size_t>(count);
  try {
    owned_.reserve(total);  // views_ points into it
    views_.reserve(total);
    while (taken < total) {
      // Counted before the conversion, which takes over a tensor whether it succeeds or not.
      const TwTvmValue& value = values[taken++];
      if (value.kind == TW_TVM_TENSOR) RequireNotNull(value.as_tensor, "tensor");
      if (value.kind == TW_TVM_TENSOR && !NeedsHostCopy(*value.as_tensor, /*read_only=*/false)) {
        views_.emplace_back(value.as_tensor);
      } else {
        owned_.push_back(ToAny(value));
        views_.emplace_back(owned_.back());
      }
    }
  } catch (...) {
    tw_tvm_drop_tensors(values + taken, total - taken);
    throw;
  }
}

void Arguments::WriteBack() const {
  for (const HostCopy& copy : copies_) copy.WriteBack();
}

Any Arguments::ToAny(const TwTvmValue& value) {
  switch (value.kind) {
    case TW_TVM_NONE:
      return Any(nullptr);
    case TW_TVM_BOOL:
      return Any(value.as_int != 0);
    case TW_TVM_INT:
      return Any(value.as_int);
    case TW_TVM_FLOAT:
      return Any(value.as_float);
    case TW_TVM_STRING:
      if (value.as_string.size != 0) RequireNotNull(value.as_string.data, "string");
      return Any(String(value.as_string.data, value.as_string.size));
    case TW_TVM_TENSOR:
      copies_.emplace_back(*value.as_tensor, /*read_only=*/false);
      return Any(copies_.back().tensor());
    case TW_TVM_MANAGED_TENSOR:
      return TakeTensor(value.as_managed_tensor);
    case TW_TVM_FUNCTION:
      RequireNotNull(value.as_function, "function");
      return Any(Borrow(value.as_function));
    case TW_TVM_MODULE:
      RequireNotNull(value.as_module, "module");
      return Any(Borrow(value.as_module));
    case TW_TVM_LIST:
      if (value.as_list.size != 0) RequireNotNull(value.as_list.data, "list");
      return ToArray(value.as_list.data, value.as_list.size);
    default:
      break;
  }
  TVM_FFI_THROW(TypeError) << "an argument has the unknown kind " << value.kind;
  TVM_FFI_UNREACHABLE();
}

Any Arguments::TakeTensor(DLManagedTensorVersioned* managed) {
  RequireNotNull(managed, "tensor");
  // TVM refuses this one too, but leaves the tensor to nobody.
  if ((managed->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0) {
    if (managed->deleter != nullptr) managed->deleter(managed);
    TVM_FFI_THROW(TypeError) << "TVM takes no tensor of a padded type smaller than a byte";
  }
  const bool read_only = (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
  const Tensor tensor = Tensor::FromDLPackVersioned(managed);
  if (!NeedsHostCopy(*tensor.GetDLTensorPtr(), read_only)) return Any(tensor);
  copied_.emplace_back(tensor);
  copies_.emplace_back(*tensor.GetDLTensorPtr(), read_only);
  return Any(copies_.back().tensor());
}

Any Arguments::ToArray(const TwTvmValue* values, size_t count) {
  Array<Any> array;
  size_t taken = 0;
  try {
    array.reserve(static_cast<int64_t>(count));
    while (taken < count) {
      const TwTvmValue& value = values[taken++];
      if (value.kind == TW_TVM_TENSOR) {
        TVM_FFI_THROW(TypeError) << "a list cannot hold a borrowed tensor, only a managed one";
      }
      array.push_back(ToAny(value));
    }
  } catch (...) {
    tw_tvm_drop_tensors(values + taken, count - taken);
    throw;
  }
  return Any(array);
}

TwTvmValue ToValue(const Any& any) {
  TwTvmValue value{};
  switch (any.type_index()) {
    case TypeIndex::kTVMFFINone:
      return value;
    case TypeIndex::kTVMFFIBool:
      value.kind = TW_TVM_BOOL;
      value.as_int = any.cast<bool>() ? 1 : 0;
      return value;
    case TypeIndex::kTVMFFIInt:
      return IntValue(any.cast<int64_t>());
    case TypeIndex::kTVMFFIFloat:
      value.kind = TW_TVM_FLOAT;
      value.as_float = any.cast<double>();
      return value;
    case TypeIndex::kTVMFFISmallStr:
    case TypeIndex::kTVMFFIStr: {
      const String text = any.cast<String>();
      return StringValue(text.data(), text.size());
    }
    case TypeIndex::kTVMFFIDataType:
      return StringValue(::tvm::ffi::DLDataTypeToString(any.cast<DLDataType>()));
    case TypeIndex::kTVMFFIDevice: {
      const DLDevice device = any.cast<DLDevice>();
      return StringValue(std::string(DeviceName(device.device_type)) + ":" +
                         std::to_string(device.device_id));
    }
    case TypeIndex::kTVMFFITensor:
      value.kind = TW_TVM_MANAGED_TENSOR;
      value.as_managed_tensor = any.cast<Tensor>().ToDLPackVersioned();
      return value;
    case TypeIndex::kTVMFFIFunction:
      value.kind = TW_TVM_FUNCTION;
      value.as_function = ReleaseHandle(any.cast<Function>());
      return value;
    case TypeIndex::kTVMFFIModule:
      value.kind = TW_TVM_MODULE;
      value.as_module = ReleaseHandle(any.cast<Module>());
      return value;
    case TypeIndex::kTVMFFIShape: {
      const Shape shape = any.cast<Shape>();
      return ListValue(shape.size(), [&](size_t i) { return IntValue(shape[i]); });
    }
    case TypeIndex::kTVMFFIArray: {
      const Array<Any> array = any.cast<Array<Any>>();
      return ListValue(array.size(),
                       [&](size_t i) { return ToValue(array[static_cast<int64_t>(i)]); });
    }
    case TypeIndex::kTVMFFIList: {
      const auto list = any.cast<::tvm::ffi::List<Any>>();
      return ListValue(list.size(),
                       [&](size_t i) { return ToValue(list[static_cast<int64_t>(i)]); });
    }
    default:
      break;
  }
  TVM_FFI_THROW(TypeError) << "the function returned a `" << any.GetTypeKey()
                           << "`, which has no counterpart outside TVM";
  TVM_FFI_UNREACHABLE();
}

void FreeValue(TwTvmValue* value) noexcept {
  switch (value->kind) {
    case TW_TVM_STRING:
      delete[] value->as_string.data;
      break;
    case TW_TVM_MANAGED_TENSOR:
      tw_tvm_drop_tensors(value, 1);
      break;
    case TW_TVM_FUNCTION:
      FreeHandle(value->as_function);
      break;
    case TW_TVM_MODULE:
      FreeHandle(value->as_module);
      break;
    case TW_TVM_LIST:
      for (size_t i = 0; i < value->as_list.size; ++i) FreeValue(&value->as_list.data[i]);
      delete[] value->as_list.data;
      break;
    default:
      break;
  }
  *value = TwTvmValue{};
}

}  // namespace tilewright::tvm
