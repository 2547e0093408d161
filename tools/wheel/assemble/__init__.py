# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Assembles a wheel from files and metadata: `cli` parses, `plan` decides, `apply` writes."""
