# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The list of a wheel's files, without what changes from build to build."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from ..archive.names import WheelName

_EXTENSION = re.compile(r"\.(cpython-3\d+t?-[\w-]+|pypy3\d+-[\w-]+|abi3)\.so$")


def contents(name: WheelName, paths: Iterable[str]) -> list[str]:
    """The files, sorted, `{version}` and `{extension}` in place of what builds differ in."""
    dist_info = f"{name.distribution}-{{version}}.dist-info"
    data = f"{name.distribution}-{{version}}.data"
    places = {name.dist_info: dist_info, name.dist_info.removesuffix("dist-info") + "data": data}
    lines = []
    for path in paths:
        head, slash, rest = path.partition("/")
        lines.append(_EXTENSION.sub(".{extension}.so", places.get(head, head) + slash + rest))
    return sorted(lines)


def parse_golden(text: str) -> list[str]:
    """The lines of a golden file; empty lines and comments are for people."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def differences(golden: list[str], found: list[str]) -> list[str]:
    """What to take out of the golden file (`-`) and to put in (`+`); empty when the two agree."""
    changes = difflib.ndiff(sorted(golden), found)
    return [change for change in changes if change[0] in "+-"]
