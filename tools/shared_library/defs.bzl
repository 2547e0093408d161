# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `shared_library`."""

load("//tools/shared_library/private:shared_library.bzl", _shared_library = "shared_library")

shared_library = _shared_library
