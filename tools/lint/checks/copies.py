# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`copies`: text that must stand in two files, because neither can read the other, is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

WHOLE = r"(?s)\A(.*)\Z"
PYBIND11 = r'"(pybind11==[^"]*": \["[^"]*"\])'
STRINGS = r'"([^"]*)"'


class Copy(NamedTuple):
    """Two places with the same text.

    Attributes:
        source: path of the file that is edited.
        copy: path of the file that must follow.
        source_text: regular expression whose group is the text in `source`.
        copy_text: the same for `copy`.
        items: regular expression whose group is what counts of the text; all of it where empty.
    """

    source: str
    copy: str
    source_text: str = WHOLE
    copy_text: str = WHOLE
    items: str = ""


COPIES = (
    # A registry serves a module's MODULE.bazel by itself, before it fetches the module.
    *(
        Copy(
            f"third_party/{name}/MODULE.bazel",
            f"third_party/registry/modules/{name}/{version}/MODULE.bazel",
        )
        for name, version in (
            ("package_archives", "0.1.0"),
            ("pybind11_bazel", "3.0.1"),
            ("rules_cuda", "0.2.5"),
        )
    ),
    # The upstream module may stand in the place of ours, and has no such file.
    Copy(
        "third_party/pybind11_bazel/private/pin.bzl",
        "third_party/pybind11/pin.bzl",
        PYBIND11,
        PYBIND11,
    ),
    # One is Starlark of another module, the other Python.
    Copy(
        "third_party/package_archives/private/pypi_archive.bzl",
        "third_party/pypi/update.py",
        r'"platforms": attr\.string_list\(default = \[([^]]*)\]',
        r"(?m)^PLATFORMS = \(([^)]*)\)",
        STRINGS,
    ),
)


def _text(tree: SourceTree, path: str, pattern: str, items: str) -> tuple[int, list[str]] | None:
    """Line and parts of the text, or None where the file has no such text."""
    text = tree.text(path) if tree.exists(path) else ""
    match = re.search(pattern, text)
    if match is None:
        return None
    parts = re.findall(items, match[1]) if items else [match[1]]
    return text.count("\n", 0, match.start(1)) + 1, parts


def find(tree: SourceTree, copies: tuple[Copy, ...] = COPIES) -> Iterator[Problem]:
    """Problems of copies that differ."""
    for copy in copies:
        source = _text(tree, copy.source, copy.source_text, copy.items)
        found = _text(tree, copy.copy, copy.copy_text, copy.items)
        if source is None or found is None:
            missing = copy.source if source is None else copy.copy
            yield Problem(missing, 0, "lacks the text that `copies` compares", "see `COPIES`")
        elif source[1] != found[1]:
            hint = "write there what the other says"
            yield Problem(copy.copy, found[0], f"differs from `{copy.source}`", hint)


CHECK = Check("copies", "what stands in two files is the same", find)
