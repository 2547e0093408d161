# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Who provides the libraries that a wheel leaves outside: families, and packages of PyPI."""
