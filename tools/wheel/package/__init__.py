# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Audit and repair of wheels: the commands `tilewright-audit` and `tilewright-repair`."""
