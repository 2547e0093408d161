# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Renders reports of the audit: for people, as JSON, and as SARIF for code scanners."""
