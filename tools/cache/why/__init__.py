# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Why actions missed the cache: compares two execution logs of Bazel."""
