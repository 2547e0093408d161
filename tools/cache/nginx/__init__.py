# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Bazel's remote cache over HTTP: nginx and its dav module."""
