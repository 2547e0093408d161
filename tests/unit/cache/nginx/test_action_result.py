# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""Blobs that action results and trees name; messages are built here, byte for byte."""

from __future__ import annotations

import pytest

from tools.cache.nginx import action_result
from tools.cache.nginx.action_result import Digest
from tools.launcher.protobuf import MalformedError


def field(number: int, content: bytes) -> bytes:
    assert len(content) < 2**14
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
    return bytes([number << 3 | 2]) + length + content


def digest(letter: str, size: int) -> bytes:
    return field(1, letter.encode() * 64) + bytes([2 << 3, size])


def test_files_streams_and_trees_are_named() -> None:
    message = (
        field(2, field(1, b"out/a.o") + field(2, digest("a", 1)) + b"\x20\x01")
        + field(3, field(1, b"out/dir") + field(3, digest("b", 2)))
        + b"\x20\x00"  # exit code
        + field(5, b"printed")
        + field(6, digest("c", 3))
        + field(8, digest("d", 4))
        + field(9, b"worker")
    )
    files, trees = action_result.references(message)
    assert files == [Digest(letter * 64, size) for letter, size in (("a", 1), ("c", 3), ("d", 4))]
    assert trees == [Digest("b" * 64, 2)]


def test_tree_names_files_of_its_root_and_children() -> None:
    leaf = field(1, field(1, b"1") + field(2, digest("a", 1)))
    child = field(1, field(1, b"2") + field(2, digest("b", 2)))
    subfolder = field(2, field(1, b"x") + field(2, digest("c", 9)))
    tree = field(1, leaf + subfolder) + field(2, child)
    assert list(action_result.tree_files(tree)) == [Digest("a" * 64, 1), Digest("b" * 64, 2)]


def test_size_of_several_bytes_is_read() -> None:
    message = field(6, field(1, b"a" * 64) + bytes([2 << 3, 0xAC, 0x02]))
    assert action_result.references(message) == ([Digest("a" * 64, 300)], [])


@pytest.mark.parametrize(
    "message",
    [
        b"<html>404</html>",
        field(2, field(2, digest("a", 1)))[:-3],
        field(2, field(2, field(1, b"short"))),
        field(2, field(2, field(1, b"A" * 64))),
        b"\x10\x01",
        b"\xff" * 12,
        b"\x0b",
    ],
)
def test_bytes_that_are_no_message_are_malformed(message: bytes) -> None:
    with pytest.raises(MalformedError):
        action_result.references(message)
