# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Audits wheels: checks over a wheel's facts, each with an id, an exit code and a next step."""
