// SPDX-FileCopyrightText: tilewright contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/build/pybind11_bazel/greeting.h"

PYBIND11_MODULE(probe, module) { module.def("greeting", &tilewright::Greeting); }
