# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Holds the list of a wheel's files against one that is kept in the repository."""
