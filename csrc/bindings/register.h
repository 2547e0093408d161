// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
//
// One function a domain; each adds its part to the module `tilewright._C`. Python-facing contracts
// are in python/tilewright/_C.pyi.

#ifndef TILEWRIGHT_BINDINGS_REGISTER_H_
#define TILEWRIGHT_BINDINGS_REGISTER_H_

#include <pybind11/pybind11.h>

namespace tilewright::bindings {

void RegisterTensor(pybind11::module_& module);
void RegisterOps(pybind11::module_& module);
void RegisterCuda(pybind11::module_& module);
void RegisterTvm(pybind11::module_& module);

}  // namespace tilewright::bindings

#endif  // TILEWRIGHT_BINDINGS_REGISTER_H_
