# SPDX-FileCopyrightText: tilewright contributors
# SPDX-License-Identifier: Apache-2.0
"""`version`: `VERSION` holds the version; the one other place Bazel demands must agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.lint.check import Check
from tools.lint.problem import Problem
from tools.lint.source_tree import SourceTree

SOURCE = "VERSION"
MODULE = "MODULE.bazel"
MODULE_VERSION = re.compile(r"^module\((?:[^()]*?)\bversion = \"([^\"]*)\"", re.MULTILINE)


def find(tree: SourceTree) -> Iterator[Problem]:
    """Problems of a version that two files disagree on."""
    version = tree.text(SOURCE).strip()
    text = tree.text(MODULE)
    match = MODULE_VERSION.search(text)
    found = match[1] if match else ""
    if found != version:
        line = text.count("\n", 0, match.start(1)) + 1 if match else 1
        yield Problem(
            MODULE, line, f"version `{found}`, `{SOURCE}` says `{version}`", f"write `{version}`"
        )


CHECK = Check("version", "one version everywhere", find)
