# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Gives a wheel exactly the declared tags.

auditwheel adds its tags to those that are there, so a wheel that claims `manylinux_2_17` already
would keep that claim unmeasured. Here the old ones go.
"""

from __future__ import annotations

from collections.abc import Iterable


def retag(wheel_file: str, tags: Iterable[str]) -> str:
    """WHEEL's text with these tags and no others, as the platform-dependent wheel that it is.

    Args:
        wheel_file: the text of WHEEL.
        tags: single tags, such as cp312-cp312-manylinux_2_27_x86_64.
    """
    kept = []
    for line in wheel_file.splitlines():
        key = line.partition(":")[0].strip().lower()
        if key == "root-is-purelib":
            kept.append("Root-Is-Purelib: false")
        elif line.strip() and key != "tag":
            kept.append(line)
    return "\n".join([*kept, *(f"Tag: {tag}" for tag in tags)]) + "\n"
