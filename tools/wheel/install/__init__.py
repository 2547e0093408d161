# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Installs wheels with pip into a clean virtual environment and imports what they bring."""
