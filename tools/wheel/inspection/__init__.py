# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a wheel, once, into facts that repair and audit decide on. It decides nothing."""
