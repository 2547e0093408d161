# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`news`: names and contents of the changelog fragments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

FOLDER = "news/"
KINDS = ("added", "changed", "deprecated", "removed", "fixed")
NAME = re.compile(rf"[a-z0-9]+(?:-[a-z0-9]+)*\.(?:{'|'.join(KINDS)})\.md")


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of fragments that the changelog cannot take up."""
    for path in tree.files:
        if not path.startswith(FOLDER) or path == FOLDER + "README.md":
            continue
        if not NAME.fullmatch(path.removeprefix(FOLDER)):
            yield Problem(
                path,
                0,
                "not the name of a news fragment",
                f"name it `{FOLDER}<words-with-dashes>.<{'|'.join(KINDS)}>.md`",
            )
            continue
        text = tree.text(path).strip()
        if not text:
            yield Problem(path, 0, "the fragment is empty", "say in a sentence what a user notices")
        elif "\n\n" in text or text.startswith(("#", "-", "*")):
            yield Problem(
                path, 1, "a fragment is one paragraph", "drop headings, bullets and empty lines"
            )


CHECK = Check("news", "names and contents of changelog fragments", find)
