# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Wheel archives: names, RECORD, reading and deterministic writing. Shared by every tool here."""
