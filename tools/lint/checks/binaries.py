# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`binaries`: nothing but text in the repository."""

from __future__ import annotations

from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

LARGEST = 256 * 1024
"""Bytes; hand-written text stays far below."""


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of files that are not UTF-8 text, or too large to have been written by hand."""
    for path in tree.files:
        contents = tree.contents(path)
        if b"\0" in contents or not _is_text(contents):
            yield Problem(
                path, 0, "a binary file", "fetch it by name and hash, or make it in the test"
            )
        elif len(contents) > LARGEST:
            yield Problem(
                path,
                0,
                f"{len(contents)} bytes, at most {LARGEST} are allowed",
                "fetch it by name and hash, or generate it",
            )


def _is_text(contents: bytes) -> bool:
    try:
        contents.decode()
    except UnicodeDecodeError:
        return False
    return True


CHECK = Check("binaries", "text files only", find)
