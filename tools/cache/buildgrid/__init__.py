# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Bazel's remote cache over gRPC: BuildGrid, its index in valkey, and nginx at its door."""
