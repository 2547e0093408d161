# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`WheelFilesInfo`: files with their places in a wheel."""

WheelFilesInfo = provider(
    doc = "Files placed in a wheel, whatever their own paths are.",
    fields = {
        "entries": "depset of struct(file = File, path = str): path relative to the wheel's root.",
    },
)
