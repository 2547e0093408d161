# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The pinned release of pybind11."""

PYBIND11_WHEELS = {
    "pybind11==3.1.0": ["b8488090f8acffbcb6b5d6a85571a6827a0a2981ffb75e5a0b27b87c4a6b7dd0"],
}
