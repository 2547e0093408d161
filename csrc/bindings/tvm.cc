// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// Modules and functions of the private TVM runtime. The package `tilewright.tvm` turns arrays into
// capsules before a call and results into arrays after it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "csrc/bindings/errors.h"
#include "csrc/bindings/managed_tensor.h"
#include "csrc/bindings/register.h"
#include "csrc/bindings/tensor.h"
#include "csrc/bindings/text.h"
#include "tilewright/c_api.h"

namespace tilewright::bindings {

namespace py = pybind11;

namespace {

template <class Handle, void (*kFree)(Handle*)>
struct Free {
  void operator()(Handle* handle) const { kFree(handle); }
};

struct TvmModule {
  std::unique_ptr<TwTvmModule, Free<TwTvmModule, &tw_tvm_module_free>> handle;
};

struct TvmFunction {
  std::unique_ptr<TwTvmFunction, Free<TwTvmFunction, &tw_tvm_function_free>> handle;
};

std::string TypeName(py::handle object) { return py::str(py::type::of(object).attr("__name__")); }

// `text` in UTF-8, owned by the object.
std::string_view Utf8(const std::string& what, py::handle text) {
  if (!PyUnicode_Check(text.ptr())) {
    Raise(TW_INVALID_ARGUMENT, what + " is a `" + TypeName(text) + "`, expected a string");
  }
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data != nullptr) return {data, static_cast<std::size_t>(size)};
  if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  Raise(TW_INVALID_ARGUMENT, what + " holds a lone surrogate, which UTF-8 has no bytes for");
}

// For C, where a NUL ends the text.
const char* CString(const std::string& what, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    Raise(TW_INVALID_ARGUMENT, what + " holds a NUL character");
  }
  return text.data();
}

TvmModule LoadModule(const std::string& path) {
  const char* const c_path = CString("load_module: the path", path);
  TwTvmModule* module = nullptr;
  CheckWithoutGil([&] { return tw_tvm_load_module(c_path, &module); });
  return {decltype(TvmModule::handle)(module)};
}

TvmFunction GetFunction(const TvmModule& module, py::handle name) {
  const std::string what = "get_function: the name";
  const char* const c_name = CString(what, Utf8(what, name));
  TwTvmFunction* function = nullptr;
  Check(tw_tvm_module_get_function(module.handle.get(), c_name, &function));
  return {decltype(TvmFunction::handle)(function)};
}

TvmFunction GetGlobalFunction(py::handle name) {
  const std::string what = "get_global_function: the name";
  const char* const c_name = CString(what, Utf8(what, name));
  TwTvmFunction* function = nullptr;
  CheckWithoutGil([&] { return tw_tvm_get_global_function(c_name, &function); });
  return {decltype(TvmFunction::handle)(function)};
}

// A capsule whose tensor the called function must not change.
struct TvmReadOnly {
  py::object capsule;
};

// The arguments of one call. Strings and handles are owned by the Python objects, which the caller
// keeps; tensors by this object until the call takes them over.
class Arguments {
 public:
  // By way of the other constructor, so that the destructor runs when this one throws.
  explicit Arguments(const py::args& objects) : Arguments() { Append(objects, &values_); }
  ~Arguments() { DropTensors(values_); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  const TwTvmValue* data() const { return values_.data(); }
  std::int32_t size() const { return static_cast<std::int32_t>(values_.size()); }

  // To be called when the call begins: from then on the tensors are the callee's.
  void HandOver() { handed_over_ = true; }

 private:
  Arguments() = default;

  using Values = std::vector<TwTvmValue>;

  void Append(const py::handle objects, Values* values) {
    values->reserve(py::len(objects));
    for (const py::handle object : objects) {
      values->push_back(Convert(object));
      if (values == &values_) ++index_;
    }
  }

  TwTvmValue Convert(py::handle object) {
    TwTvmValue value{};
    if (object.is_none()) {
      value.kind = TW_TVM_NONE;
    } else if (PyBool_Check(object.ptr())) {  // before int, of which bool is a subclass
      value.kind = TW_TVM_BOOL;
      value.as_int = object.ptr() == Py_True ? 1 : 0;
    } else if (PyLong_Check(object.ptr())) {
      value.kind = TW_TVM_INT;
      value.as_int = PyLong_AsLongLong(object.ptr());
      if (value.as_int == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        Raise(TW_INVALID_ARGUMENT, Describe() + " does not fit in 64 bits");
      }
    } else if (PyFloat_Check(object.ptr())) {
      value.kind = TW_TVM_FLOAT;
      value.as_float = PyFloat_AS_DOUBLE(object.ptr());
    } else if (PyUnicode_Check(object.ptr())) {
      const std::string_view text = Utf8(Describe(), object);
      value.kind = TW_TVM_STRING;
      value.as_string.data = text.data();
      value.as_string.size = text.size();
    } else if (PyCapsule_CheckExact(object.ptr())) {
      value.kind = TW_TVM_MANAGED_TENSOR;
      value.as_managed_tensor = ManageTensor(Describe(), object, false).release();
    } else if (py::isinstance<TvmReadOnly>(object)) {
      value.kind = TW_TVM_MANAGED_TENSOR;
      value.as_managed_tensor =
          ManageTensor(Describe(), object.cast<const TvmReadOnly&>().capsule, true).release();
    } else if (PyList_CheckExact(object.ptr())) {
      Values& items = lists_.emplace_back();
      value.kind = TW_TVM_LIST;
      try {
        Append(object, &items);
      } catch (...) {
        DropTensors(items);
        throw;
      }
      value.as_list.data = items.data();
      value.as_list.size = items.size();
    } else if (py::isinstance<TvmFunction>(object)) {
      value.kind = TW_TVM_FUNCTION;
      value.as_function = object.cast<const TvmFunction&>().handle.get();
    } else if (py::isinstance<TvmModule>(object)) {
      value.kind = TW_TVM_MODULE;
      value.as_module = object.cast<const TvmModule&>().handle.get();
    } else {
      Raise(TW_INVALID_ARGUMENT,
            Describe() + " is a `" + TypeName(object) +
                "`, which cannot be passed to TVM\n"
                "hint: pass arrays, numbers, strings, `None`, or functions and modules of TVM");
    }
    return value;
  }

  void DropTensors(const Values& values) {
    if (handed_over_) return;
    for (const TwTvmValue& value : values) {
      if (value.kind == TW_TVM_MANAGED_TENSOR) {
        DeleteManagedTensor()(value.as_managed_tensor);
      } else if (value.kind == TW_TVM_LIST) {
        DropTensors({value.as_list.data, value.as_list.data + value.as_list.size});
      }
    }
  }

  std::string Describe() const { return "call: argument " + std::to_string(index_); }

  Values values_;
  std::deque<Values> lists_;  // of all depths; what values point to must stay where it is
  std::size_t index_ = 0;
  bool handed_over_ = false;
};

// A result of a call, freed unless its content is taken over.
class Result {
 public:
  Result() = default;
  ~Result() { tw_tvm_value_free(&value_); }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  TwTvmValue* get() { return &value_; }

  py::object Take() { return Take(&value_); }

 private:
  static py::object Take(TwTvmValue* value) {
    switch (value->kind) {
      case TW_TVM_NONE:
        return py::none();
      case TW_TVM_BOOL:
        return py::bool_(value->as_int != 0);
      case TW_TVM_INT:
        return py::int_(value->as_int);
      case TW_TVM_FLOAT:
        return py::float_(value->as_float);
      case TW_TVM_STRING:
        return Text({value->as_string.data, value->as_string.size});
      case TW_TVM_MANAGED_TENSOR:
        return py::cast(Tensor(Release(value, value->as_managed_tensor)));
      case TW_TVM_FUNCTION:
        return py::cast(
            TvmFunction{decltype(TvmFunction::handle)(Release(value, value->as_function))});
      case TW_TVM_MODULE:
        return py::cast(TvmModule{decltype(TvmModule::handle)(Release(value, value->as_module))});
      case TW_TVM_LIST: {
        py::tuple items(value->as_list.size);
        for (std::size_t i = 0; i < value->as_list.size; ++i) {
          items[i] = Take(&value->as_list.data[i]);
        }
        return items;
      }
      default:
        Raise(TW_INTERNAL,
              "a TVM function returned a value of the unknown kind " + std::to_string(value->kind));
    }
  }

  template <class Pointer>
  static Pointer Release(TwTvmValue* value, Pointer pointer) {
    value->kind = TW_TVM_NONE;
    return pointer;
  }

  TwTvmValue value_{};
};

py::object Call(const TvmFunction& function, const py::args& objects) {
  Arguments arguments(objects);
  Result result;
  CheckWithoutGil([&] {
    arguments.HandOver();
    return tw_tvm_function_call(function.handle.get(), arguments.data(), arguments.size(),
                                result.get());
  });
  return result.Take();
}

}  // namespace

void RegisterTvm(py::module_& module) {
  py::class_<TvmReadOnly>(module, "TvmReadOnly", py::is_final())
      .def(py::init<py::object>(), py::arg("capsule"));
  py::class_<TvmFunction>(module, "TvmFunction", py::is_final()).def("__call__", &Call);
  py::class_<TvmModule>(module, "TvmModule", py::is_final())
      .def("get_function", &GetFunction, py::arg("name"));
  module.def("tvm_load", [] { CheckWithoutGil(&tw_tvm_load); });
  module.def("tvm_report", [] { return Text(tw_tvm_report()); });
  module.def("tvm_load_module", &LoadModule, py::arg("path"));
  module.def("tvm_get_global_function", &GetGlobalFunction, py::arg("name"));
}

}  // namespace tilewright::bindings
