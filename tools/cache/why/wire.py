# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire format of protocol buffers: fields of a message, messages of a stream.

https://protobuf.dev/programming-guides/encoding/ describes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, TypeAlias

Value: TypeAlias = "int | bytes"

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED_SIZES = {_FIXED64: 8, _FIXED32: 4}
_LONGEST_VARINT = 10
_LARGEST_MESSAGE = 2**31 - 1


class WireError(ValueError):
    """Bytes are not what a message is made of."""


class EndOfStreamError(WireError):
    """Bytes end within a message."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that is encoded at an offset, and the offset behind it.

    Raises:
        EndOfStreamError: the data ends before the number does.
        WireError: no number is that long.
    """
    result = shift = 0
    for byte in data[at : at + _LONGEST_VARINT]:
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, at
        shift += 7
    if shift < 7 * _LONGEST_VARINT:
        raise EndOfStreamError("the data ends within a number")
    raise WireError("a number has more than 10 bytes")


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """The number and the undecoded value of each field of a message, in order.

    Raises:
        WireError: the bytes are no message.
    """
    at, end = 0, len(message)
    while at < end:
        tag = message[at]
        if tag < 0x80:
            at += 1
        else:
            tag, at = varint(message, at)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == _VARINT:
            value, at = varint(message, at)
            yield number, value
            continue
        if wire_type == _BYTES:
            size, at = varint(message, at)
        elif wire_type in _FIXED_SIZES:
            size = _FIXED_SIZES[wire_type]
        else:
            raise WireError(f"wire type {wire_type} is not known")
        if number == 0 or at + size > end:
            raise WireError(f"field {number} goes beyond its message")
        yield number, message[at : at + size]
        at += size


def messages(stream: BinaryIO) -> Iterator[bytes]:
    """The messages of a stream in which each stands behind its length.

    Raises:
        EndOfStreamError: the stream ends within a message.
        WireError: a length is no number, or is more than a message may have.
    """
    while prefix := stream.read(1):
        while prefix[-1] >= 0x80 and len(prefix) < _LONGEST_VARINT and (byte := stream.read(1)):
            prefix += byte
        size, _ = varint(prefix, 0)
        if size > _LARGEST_MESSAGE:
            raise WireError(f"a message of {size} bytes is more than there may be")
        message = stream.read(size)
        if len(message) < size:
            raise EndOfStreamError("the stream ends within a message")
        yield message


class Message:
    """The fields of a message, by number. What is absent is empty, 0 or false.

    Raises:
        WireError: the bytes are no message, or a field is not of the kind that is asked for.
    """

    def __init__(self, encoded: bytes) -> None:
        self._values: dict[int, list[Value]] = {}
        for number, value in fields(encoded):
            self._values.setdefault(number, []).append(value)

    def __contains__(self, number: int) -> bool:
        return number in self._values

    def field_numbers(self) -> set[int]:
        """The fields that are there."""
        return set(self._values)

    def bytes_of(self, number: int) -> list[bytes]:
        """Every value of a field of strings or messages, undecoded."""
        values = self._values.get(number, [])
        found = [value for value in values if isinstance(value, bytes)]
        if len(found) < len(values):
            raise WireError(f"field {number} holds a number, not a string or a message")
        return found

    def messages(self, number: int) -> list[Message]:
        """Every message of a field."""
        return [Message(value) for value in self.bytes_of(number)]

    def message(self, number: int) -> Message:
        """The message of a field."""
        return Message(b"".join(self.bytes_of(number)))

    def texts(self, number: int) -> list[str]:
        """Every string of a field; bytes that are no UTF-8 become escape sequences."""
        return [value.decode("utf-8", "backslashreplace") for value in self.bytes_of(number)]

    def text(self, number: int) -> str:
        """The string of a field."""
        return (self.texts(number) or [""])[-1]

    def numbers(self, number: int) -> list[int]:
        """Every number of a field, packed or not."""
        found: list[int] = []
        for value in self._values.get(number, []):
            if isinstance(value, int):
                found.append(value)
                continue
            at = 0
            while at < len(value):
                item, at = varint(value, at)
                found.append(item)
        return found

    def number(self, number: int) -> int:
        """The number of a field, which may be negative."""
        value = (self.numbers(number) or [0])[-1]
        return value - (1 << 64) if value >> 63 else value
