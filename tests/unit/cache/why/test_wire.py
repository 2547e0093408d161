# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire format against what it may look like."""

import io

import pytest

from tests.unit.cache.why.tiny_log import delimited, encoded, message
from tools.cache.why.wire import EndOfStreamError, Message, WireError, messages, varint


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**32, 2**64 - 1])
def test_varint_of_any_length_is_read_back(number: int) -> None:
    assert varint(b"?" + encoded(number), 1) == (number, 1 + len(encoded(number)))


def test_varint_that_ends_early_is_an_end_of_stream() -> None:
    with pytest.raises(EndOfStreamError, match="the data ends within a number"):
        varint(b"\x80\x80", 0)


def test_varint_of_more_than_ten_bytes_is_refused() -> None:
    with pytest.raises(WireError, match="a number has more than 10 bytes"):
        varint(b"\xff" * 11, 0)


def test_message_gives_strings_numbers_and_messages_by_field() -> None:
    found = Message(message((1, "a"), (1, "b"), (2, 7), (3, message((1, "inner")))))
    assert found.texts(1) == ["a", "b"]
    assert found.text(1) == "b"
    assert found.number(2) == 7
    assert found.message(3).text(1) == "inner"
    assert found.field_numbers() == {1, 2, 3}


def test_message_without_a_field_gives_empty_values() -> None:
    found = Message(b"")
    assert (found.text(1), found.number(1), found.texts(1), found.message(1).text(1)) == (
        "",
        0,
        [],
        "",
    )


def test_message_numbers_may_be_packed_single_or_negative() -> None:
    found = Message(message((1, encoded(1) + encoded(300)), (1, 5), (2, -1)))
    assert found.numbers(1) == [1, 300, 5]
    assert found.number(2) == -1


def test_message_skips_fixed_size_fields() -> None:
    fixed = encoded(7 << 3 | 1) + bytes(8) + encoded(8 << 3 | 5) + bytes(4)
    assert Message(fixed + message((1, "a"))).text(1) == "a"


def test_message_of_bytes_that_are_no_utf8_escapes_them() -> None:
    assert Message(message((1, b"caf\xe9"))).text(1) == "caf\\xe9"


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        (encoded(1 << 3 | 2) + encoded(9) + b"short", "field 1 goes beyond its message"),
        (encoded(1 << 3 | 3), "wire type 3 is not known"),
        (message((0, "a")), "field 0 goes beyond its message"),
    ],
)
def test_message_that_is_damaged_is_refused(damaged: bytes, words: str) -> None:
    with pytest.raises(WireError, match=words):
        Message(damaged)


def test_message_with_a_number_in_place_of_a_string_is_refused() -> None:
    with pytest.raises(WireError, match="field 1 holds a number, not a string or a message"):
        Message(message((1, 5))).text(1)


def test_messages_of_a_stream_are_read_one_by_one() -> None:
    long = b"x" * 1000
    assert list(messages(io.BytesIO(delimited(b"a", b"", long)))) == [b"a", b"", long]


@pytest.mark.parametrize("missing", [1, 5, 1001])
def test_messages_that_end_early_are_an_end_of_stream(missing: int) -> None:
    whole = delimited(b"a", b"x" * 1000)
    with pytest.raises(EndOfStreamError):
        list(messages(io.BytesIO(whole[:-missing])))


def test_messages_larger_than_any_may_be_are_refused() -> None:
    with pytest.raises(WireError, match="a message of 2147483648 bytes is more than"):
        list(messages(io.BytesIO(encoded(2**31))))
