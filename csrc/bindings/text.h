// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0

#ifndef TILEWRIGHT_BINDINGS_TEXT_H_
#define TILEWRIGHT_BINDINGS_TEXT_H_

#include <string_view>

#include <pybind11/pybind11.h>

namespace tilewright::bindings {

// A Python string of `text`, UTF-8 as a rule; bytes that are not (a path may hold any) come out as
// `\xNN`, so that a message never fails to be shown. Needs the GIL.
inline pybind11::str Text(std::string_view text) {
  PyObject* decoded =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (decoded == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::str>(decoded);
}

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_TEXT_H_
