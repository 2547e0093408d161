# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`PyWheelInfo`: a wheel that a rule makes."""

PyWheelInfo = provider(
    doc = "A wheel; `name_file` and `wheel` are fields of rules_python's provider, too.",
    fields = {
        "grafted": "List of strings: names of the libraries that may be copied into it.",
        "name_file": "File: text file that holds the wheel's file name.",
        "wheel": "File: the wheel; its base name is the wheel's name.",
    },
)
