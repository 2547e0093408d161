# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`WheelComponentInfo`: a part of a wheel that comes from elsewhere."""

WheelComponentInfo = provider(
    doc = "A part of a wheel that comes from elsewhere, as its bill of materials names it.",
    fields = {
        "component": "struct with the attributes of `wheel_component` and `label`, ready for JSON.",
    },
)
