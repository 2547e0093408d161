# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""What a comparison finds, and where two strings of bytes part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

_TEXT = range(0x20, 0x7F)
#: Bytes shown on either side of a place, and fewest that are shown as text.
_AROUND, _SHORTEST = 40, 4
_HEX = 8


@dataclass(frozen=True)
class Difference:
    """One difference between two wheels."""

    #: File in the wheel; "" for the archive as a whole.
    path: str
    #: What differs of it: mode, time, line 3, section `.text`.
    part: str
    #: How it is in either wheel.
    what: str


#: Parts and what differs in them, within one file.
Findings = Iterator[tuple[str, str]]


def first_difference(first: bytes, second: bytes) -> int | None:
    """Offset of the first byte that differs, or where the shorter one ends; None for the same."""
    if first == second:
        return None
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def sides(first: object, second: object) -> str:
    """The same thing in both wheels, for people."""
    return f"{first} in the first, {second} in the second"


def sizes(first: bytes, second: bytes) -> str:
    """The sizes of both; one where they are the same."""
    if len(first) == len(second):
        return f"{len(first)} bytes"
    return sides(f"{len(first)} bytes", f"{len(second)}")


def shown(data: bytes, at: int) -> str:
    """What is at a place: the text around it, else the bytes from there."""
    if at >= len(data):
        return "the end"
    start = end = at
    while start > max(0, at - _AROUND) and data[start - 1] in _TEXT:
        start -= 1
    while end < min(len(data), at + _AROUND) and data[end] in _TEXT:
        end += 1
    if end > at and end - start >= _SHORTEST:
        return f"`{data[start:end].decode('ascii')}`"
    return data[at : at + _HEX].hex(" ")


def compare_bytes(first: bytes, second: bytes) -> Findings:
    """Where content of no known form differs."""
    at = first_difference(first, second)
    if at is not None:
        values = sides(shown(first, at), shown(second, at))
        yield f"byte {at:#x}", f"{values} ({sizes(first, second)})"
