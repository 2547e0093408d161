# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Measures the repair tool beside the auditwheel command line, on one input in one run."""
