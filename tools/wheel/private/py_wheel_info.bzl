# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`PyWheelInfo`: a wheel that a rule makes."""

PyWheelInfo = provider(
    doc = "A wheel, by the field names of rules_python's provider.",
    fields = {
        "name_file": "File: text file that holds the wheel's file name.",
        "wheel": "File: the wheel; its base name is the wheel's name.",
    },
)
