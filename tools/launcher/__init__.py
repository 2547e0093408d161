# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs Bazel in a root file system of its own; `tools/bazel` starts it."""
