# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What every target with pybind11 code is compiled with."""

PYBIND_COPTS = ["-fexceptions"]

# pybind11's headers cannot be compiled as modules or parsed one by one.
PYBIND_FEATURES = [
    "-use_header_modules",
    "-parse_headers",
]

PYBIND_DEPS = [
    Label("@pybind11//:pybind11"),
    Label("//:python_headers"),
]
