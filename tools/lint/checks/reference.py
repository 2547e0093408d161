# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`reference`: the generated pages of the documentation say what the sources say."""

from __future__ import annotations

from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.errors import ProgramError
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree
from tools.reference.errors import SourceError
from tools.reference.pages import FOLDER, generate

COMMAND = "./tools/bazel run //tools/lint:fix -- reference"
HINT = "write the documentation where the symbol is defined"


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of pages that differ from what would be generated now."""
    try:
        for path, expected in generate(tree.root):
            if not tree.exists(path):
                yield Problem(path, 0, "is not there", COMMAND)
            elif tree.text(path) != expected:
                yield Problem(
                    path, _first_difference(tree.text(path), expected), "is stale", COMMAND
                )
    except SourceError as error:
        yield Problem(FOLDER, 0, str(error), HINT)


def fix(tree: SourceTree) -> None:
    """Write the pages anew.

    Raises:
        ProgramError: they cannot be made.
    """
    try:
        pages = list(generate(tree.root))
    except SourceError as error:
        raise ProgramError(str(error), HINT) from error
    for path, text in pages:
        (tree.root / path).parent.mkdir(parents=True, exist_ok=True)
        (tree.root / path).write_text(text)


def _first_difference(text: str, expected: str) -> int:
    lines = zip(text.splitlines(), expected.splitlines(), strict=False)
    return next((number for number, (a, b) in enumerate(lines, 1) if a != b), 0)


CHECK = Check("reference", "generated pages match the sources", find, fix)
