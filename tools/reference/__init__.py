# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reference pages of the documentation, made from the docstrings in the sources."""
