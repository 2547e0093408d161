# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Prints the Python interpreters that a build can be made for.

usage: listing.py PYTHONS_JSON [--json]
"""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Any


def render(pythons: Mapping[str, Any], color: bool = False) -> str:
    """Renders what `discover.py` found, for people.

    Args:
        pythons: the decoded JSON.
        color: whether to emphasise with terminal codes.
    """
    bold, plain = ("\033[1m", "\033[0m") if color else ("", "")
    lines = [f"{bold}usable{plain} (choose one with --//tools/toolchains/python:version=VERSION)"]
    for version, interpreter in pythons["found"].items():
        mark = "  <- default" if version == pythons["default"] else ""
        name = f"{version:<6} {interpreter['full_version']:<8} {interpreter['abi_tag']:<6}"
        lines.append(f"  {name} {interpreter['path']}{mark}")
    if not pythons["found"]:
        lines += [
            "  none",
            "hint: install a CPython 3.10 or newer with its headers (Debian: `python3-dev`)",
        ]
    lines += ["", f"{bold}default{plain}: {pythons['default_reason']}"]
    if pythons["rejected"]:
        lines += ["", f"{bold}passed over{plain}"]
        lines += [f"  {path}: {reason}" for path, reason in pythons["rejected"].items()]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Prints the list, or with `--json` the facts behind it."""
    text = pathlib.Path(arguments[0]).read_text()
    if "--json" in arguments[1:]:
        print(text)
    else:
        print(render(json.loads(text), color=sys.stdout.isatty()))


if __name__ == "__main__":
    main(sys.argv[1:])
