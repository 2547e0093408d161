# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The Python versions that have a lock, oldest first."""

LOCKED_VERSIONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
