# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What each array library needs when its arrays are lent to an operator: one module a library."""
