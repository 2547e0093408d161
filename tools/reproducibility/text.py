# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Where two texts differ."""

from __future__ import annotations

from collections import Counter
from io import StringIO
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
    """The first line that differs, and how many lines only one of the two has."""
    ones, others = _lines(first), _lines(second)
    pairs = enumerate(zip_longest(ones, others, fillvalue=""), start=1)
    differing = next(((number, *pair) for number, pair in pairs if pair[0] != pair[1]), None)
    if differing is None:
        return
    number, one, other = differing
    alone = Counter(ones) - Counter(others), Counter(others) - Counter(ones)
    yield f"line {number}", sides(*_excerpts(one, other)) + _rest(*map(Counter.total, alone))


def _lines(text: str) -> list[str]:
    """The lines as editors count them, with their ends."""
    return StringIO(text, newline="\n").readlines()


def _rest(first: int, second: int) -> str:
    if first == second == 1:
        return ""
    if first == second == 0:
        return "; the same lines in another order"
    return f"; lines that only the first has: {first}, only the second: {second}"


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
