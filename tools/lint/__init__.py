# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Lint: one runner, small checks over the source tree, outside programs behind one interface."""
