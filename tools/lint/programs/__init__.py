# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks that run an outside program, each pinned by hash and brought by Bazel."""
