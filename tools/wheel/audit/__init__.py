# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Audits wheels: checks over the facts of a wheel, each with an id, an exit code and a next step."""
