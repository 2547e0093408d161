# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads and edits ELF files: shared objects and executables as the dynamic loader sees them."""
