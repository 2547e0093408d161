# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The release of pybind11 whose licence text the wheel carries."""

PYBIND11_PACKAGES = {
    "pybind11==3.1.0": ["b8488090f8acffbcb6b5d6a85571a6827a0a2981ffb75e5a0b27b87c4a6b7dd0"],
}
