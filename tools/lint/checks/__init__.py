# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks of our own: each reads the source tree, none runs another program."""
