# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Public entry point: `pytest_test`, and `REQUIRES_GPU` for the `target_compatible_with` of other tests."""

load("//tools/pytest/private:pytest_test.bzl", _REQUIRES_GPU = "REQUIRES_GPU", _pytest_test = "pytest_test")

REQUIRES_GPU = _REQUIRES_GPU
pytest_test = _pytest_test
