# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `clang_tidy`."""

load("//tools/lint/private:clang_tidy.bzl", _clang_tidy = "clang_tidy")

clang_tidy = _clang_tidy
