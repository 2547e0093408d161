# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`device_symbols`: CUDA symbols with internal linkage make objects differ from folder to folder.

nvcc puts a hash of the source's absolute path into the name of such a symbol, so the same source in
another folder gives another object, and the cache of one machine does not serve the next. The
rules_cuda of this repository hands nvcc a relative path instead; upstream's, which may stand in its
place, does not. So what ships has no such symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL
)
"""Comments, strings and character constants (not the digit separators of 1'000)."""

DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
SCOPE = re.compile(r"^(?:\[\[.*\]\]\s*)?(?:inline\s+)?(?:namespace\b[^;(]*|extern)\s*$")
UNNAMED = re.compile(r"^(?:inline\s+)?namespace\s*$")
SPACE_QUALIFIER = re.compile(r"\b__(?:global|device|constant|managed)__\b")
SHIPPED = "csrc/"
HINT = "give it external linkage in a named namespace"


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of device code whose linkage is internal."""
    for path in tree.matching("*.cu", "*.cuh"):
        if not path.startswith(SHIPPED):
            continue
        yield from find_in(path, tree.text(path))


def find_in(path: str, text: str) -> Iterator[Problem]:
    """The problems of one file.

    Args:
        path: its path, for the report.
        text: its contents.
    """
    for number, declaration, opens in _namespace_level(_without_noise(text)):
        if opens and UNNAMED.match(declaration):
            yield Problem(path, number, "an unnamed namespace in device code", HINT)
            continue
        qualifier = SPACE_QUALIFIER.search(declaration)
        if not qualifier:
            continue
        head = declaration.partition("(")[0].partition("=")[0]
        is_function = "(" in declaration and "=" not in declaration.partition("(")[0]
        if re.search(r"\bstatic\b", head):
            yield Problem(path, number, f"`static` beside `{qualifier[0]}`", HINT)
        elif (
            not is_function
            and re.search(r"\bconst(?:expr)?\b", head)
            and not re.search(r"\b(?:inline|extern)\b", head)
        ):
            yield Problem(
                path,
                number,
                f"a `{qualifier[0]}` constant that is not `inline` has internal linkage",
                "add `inline`",
            )


def _without_noise(text: str) -> str:
    """The text with comments, strings and directives blanked, lines kept."""
    for pattern in (NOISE, DIRECTIVE):
        text = pattern.sub(lambda match: "\n" * match[0].count("\n") or " ", text)
    return text


def _namespace_level(text: str) -> Iterator[tuple[int, str, bool]]:
    """Declarations outside classes and functions: first line, text, whether a brace follows it."""
    start, depth = 0, 0  # depth counts the braces that open no namespace
    scopes: list[bool] = []
    for position, character in enumerate(text):
        if character == "{":
            declaration = text[start:position]
            if depth == 0:
                yield _line(text, start), " ".join(declaration.split()), True
            is_scope = depth == 0 and bool(SCOPE.match(" ".join(declaration.split())))
            scopes.append(is_scope)
            depth += not is_scope
            start = position + 1
        elif character == "}":
            if scopes and not scopes.pop():
                depth -= 1
            start = position + 1
        elif character == ";":
            if depth == 0:
                yield _line(text, start), " ".join(text[start:position].split()), False
            start = position + 1


def _line(text: str, start: int) -> int:
    """Number of the line of the first character at or after `start` that is no space."""
    while start < len(text) and text[start].isspace():
        start += 1
    return text.count("\n", 0, start) + 1


CHECK = Check("device_symbols", "no internal linkage in device code", find)
