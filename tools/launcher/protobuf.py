# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The fields of a protocol buffers message, for the few messages that are read here. Pure."""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class MalformedError(ValueError):
    """The bytes are not the message that they should be."""


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and values of a message's fields: integers, and byte strings for all else.

    Raises:
        MalformedError: the bytes are no message.
    """
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        wire_type = key & 7
        if wire_type == VARINT:
            number, position = _varint(message, position)
            yield key >> 3, number
            continue
        if wire_type == BYTES:
            size, position = _varint(message, position)
        elif wire_type in (FIXED64, FIXED32):
            size = 8 if wire_type == FIXED64 else 4
        else:
            raise MalformedError(f"no message of protocol buffers: wire type {wire_type}")
        if position + size > len(message):
            raise MalformedError("no message of protocol buffers: it ends within a field")
        yield key >> 3, message[position : position + size]
        position += size


def _varint(message: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if position >= len(message) or shift > 63:
            raise MalformedError("no message of protocol buffers: it ends within a number")
        byte = message[position]
        value |= (byte & 0x7F) << shift
        position += 1
        shift += 7
        if byte < 0x80:
            return value, position
