# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Whether two builds of a wheel have the same bytes, and if not, in what they differ."""
