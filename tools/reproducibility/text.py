# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where two texts differ."""

from __future__ import annotations

from itertools import zip_longest

from .difference import Findings, first_difference, sides

#: Characters shown of a line.
_SHOWN = 160


def decoded(data: bytes) -> str | None:
    """The text; None for what is none."""
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def compare_text(first: str, second: str) -> Findings:
    """The first line that differs, and how many do."""
    pairs = list(
        zip_longest(first.splitlines(keepends=True), second.splitlines(keepends=True), fillvalue="")
    )
    differing = [number for number, (one, other) in enumerate(pairs) if one != other]
    if not differing:
        return
    one, other = pairs[differing[0]]
    more = len(differing) - 1
    rest = f"; {more} more {'lines differ' if more > 1 else 'line differs'}" if more else ""
    yield f"line {differing[0] + 1}", sides(*_excerpts(one, other)) + rest


def _excerpts(one: str, other: str) -> tuple[str, str]:
    """Both lines, cut to what is around their first difference where they are long."""
    at = first_difference(one.encode("utf-32-le"), other.encode("utf-32-le")) or 0
    start = max(0, at // 4 - _SHOWN // 2)
    return _excerpt(one, start), _excerpt(other, start)


def _excerpt(line: str, start: int) -> str:
    if not line:
        return "nothing"
    end = start + _SHOWN
    before, after = "..." if start else "", "..." if len(line) > end else ""
    return f"{before}{line[start:end]!r}{after}"
