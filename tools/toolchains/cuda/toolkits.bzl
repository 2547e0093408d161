# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The CUDA toolkits that there are toolchains for."""

# CUDA version (a value of the flag `:version`) to the repository that holds the toolkit.
TOOLKITS = {
    "12.4": "@cuda12",
    "13.0": "@cuda13",
}

DEFAULT_VERSION = "13.0"
