# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Servers for Bazel's remote cache, each started by one command; `serve` is the way in."""
