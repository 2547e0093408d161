# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads ELF files: shared objects and executables as the dynamic loader and the linker see them."""
